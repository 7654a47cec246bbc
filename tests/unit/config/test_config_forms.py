"""Options with a form of their own: what a build gets, where its tests run, which bots are trusted."""

import pytest
from config_support import problems

from bot.config.sources import effective, secret_values
from bot.environments.testbeds import overrides

INDEX = "https://reader:password-of-the-index@index.example/simple"


def test_a_build_gets_values_too(configured):
    text = f"A, B\nPIP_EXTRA_INDEX_URL={INDEX}\nNO_PROXY=a.example,b.example"
    environment = {"REGREEN_BUILD_VARIABLES": text, "A": "1"}
    settings = configured({}, environment)
    assert settings.build_environment == {
        "A": "1",
        "PIP_EXTRA_INDEX_URL": INDEX,
        "NO_PROXY": "a.example,b.example",
    }
    assert "password-of-the-index" in secret_values(environment)
    (shown,) = (one.value for one in effective(settings) if one.option.name == "build-variables")
    assert shown == "A, B, PIP_EXTRA_INDEX_URL=***, NO_PROXY=***"


def test_a_builds_secrets_are_masked_and_in_no_listing(configured):
    environment = {"REGREEN_BUILD_SECRETS": f"PIP_INDEX_URL={INDEX}\nNETRC=machine-and-password"}
    settings = configured({}, environment)
    assert overrides(settings).network == {"PIP_INDEX_URL": INDEX, "NETRC": "machine-and-password"}
    assert {INDEX, "password-of-the-index", "machine-and-password"} <= set(secret_values(environment))
    assert {INDEX, "machine-and-password"} <= set(settings.secrets.held)
    assert "password-of-the-index" not in repr(settings)
    assert "password-of-the-index" not in repr(effective(settings))


def test_a_builds_secret_needs_its_value(configured):
    (problem,) = problems(configured, environment={"REGREEN_BUILD_SECRETS": "PIP_INDEX_URL"})
    assert problem == "REGREEN_BUILD_SECRETS: build-secrets: each line has to be NAME=value"


@pytest.mark.parametrize("directory", ["/etc", "..", "a/../../b"])
def test_a_working_directory_lies_in_the_project(configured, directory):
    (problem,) = problems(configured, {"working_directory": directory})
    assert problem == "--working-directory: working-directory: it does not lie in the project"


def test_trusted_bots_are_bots(configured):
    settings = configured(file="trusted-bots: dependabot[bot], renovate[bot]\n")
    assert settings.action.trusted_bot_names == {"dependabot[bot]", "renovate[bot]"}
    assert configured({}).action.trusted_bot_names == frozenset()
    for name in ("dev", "dependabot", "[bot]", "*[bot]"):
        (problem,) = problems(configured, file=f"trusted-bots: '{name}'\n")
        assert f"trusted-bots: '{name}' is not a list of bots' logins like dependabot[bot]" in problem
