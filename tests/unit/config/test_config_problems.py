"""What cannot be configured, and how that is said."""

import pytest
from config_support import problems

from bot.config.options import BY_NAME
from bot.config.sources import load
from bot.errors import ConfigurationError


def test_a_directory_that_is_not_there(tmp_path):
    with pytest.raises(ConfigurationError, match=r"not a repository: .*gone is not a directory"):
        load({"project": tmp_path / "gone"}, {})
    (tmp_path / "file.py").touch()
    with pytest.raises(ConfigurationError, match=r"file\.py is not a directory"):
        load({"project": tmp_path / "file.py"}, {})


@pytest.mark.parametrize(
    ("options", "environment", "file", "place"),
    [
        ({"sandbox": "vm"}, {}, None, "--sandbox: "),
        ({}, {"INPUT_SANDBOX": "vm"}, None, "INPUT_SANDBOX: "),
        ({}, {"REGREEN_SANDBOX": "vm"}, None, "REGREEN_SANDBOX: "),
        ({}, {}, "\nsandbox: vm\n", "regreen.yml:2: sandbox: "),
    ],
)
def test_a_bad_value_is_named_with_its_place_and_what_may_stand_there(
    configured, options, environment, file, place
):
    (problem,) = problems(configured, options, environment, file)
    assert problem.endswith(f"{place}'vm' is not one of {', '.join(BY_NAME['sandbox'].choices)}")


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("strategy", "guess", "'guess' is not one of search, single, react, reflect, tools, hybrid, agent"),
        ("time-budget", "0", "a plain number is seconds), from 1s to 7d"),
        ("time-budget", "-1", "from 1s to 7d"),
        ("time-budget", "nan", "from 1s to 7d"),
        ("time-budget", "2g", "from 1s to 7d"),
        (
            "sandbox-memory",
            "64m",
            "'64m' is not a size such as 512m or 2g (a plain number is MiB), from 256m to 1t",
        ),
        ("sandbox-memory", "2000000g", "from 256m to 1t"),
        ("sandbox-memory", "1000000.5k", "from 256m to 1t"),
        ("sandbox-cpus", "0", "'0' is not a number from 0.1 to 1024"),
        ("sandbox-cpus", "inf", "from 0.1 to 1024"),
        ("sandbox-cpus", "2 cores", "from 0.1 to 1024"),
        ("sandbox-processes", "12.5", "'12.5' is not a whole number from 16 to 32768"),
        ("sandbox-processes", "9" * 5000, "99...' is not a whole number from 16 to 32768"),
        ("sandbox-output-limit", "1", "from 1k to 100m"),
        ("workers", "65", "'65' is not a whole number from 1 to 64"),
        ("search-without", "luck", "pruning, alternatives, second-order, separated by commas"),
        ("model", "a\0b", r"'a\x00b' is not a text"),
    ],
)
def test_values_out_of_range(configured, name, text, words):
    (problem,) = problems(configured, {BY_NAME[name].field: text})
    assert problem.startswith(f"--{name}: ")
    assert problem.endswith(words)
    assert len(problem) < 200


def test_everything_that_is_wrong_is_told_at_once(configured):
    found = problems(configured, {"workers": "x"}, {"REGREEN_SANDBOX_DISK": "x"}, "time-budget: x\n")
    assert [problem.split(": '")[0].rpartition("/")[2] for problem in found] == [
        "--workers",
        "REGREEN_SANDBOX_DISK",
        "regreen.yml:1: time-budget",
    ]


def test_a_bad_value_is_an_error_even_where_another_source_decides(configured):
    assert len(problems(configured, {"workers": "2"}, {"REGREEN_WORKERS": "many"})) == 1


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("sandbox-memry", "did you mean sandbox-memory?"),
        ("sandbox_memory", "did you mean sandbox-memory?"),
        ("memory", "did you mean sandbox-memory?"),
        ("timeout", "did you mean test-timeout?"),
        ("qqq", "'regreen config' lists all"),
    ],
)
def test_an_unknown_key_is_an_error_with_a_suggestion(configured, key, hint):
    (problem,) = problems(configured, file=f"{key}: 1\n")
    assert problem.endswith(f"regreen.yml:1: {key}: there is no option '{key}'; {hint}")


@pytest.mark.parametrize("sandbox", ["bubblewrap", "process"])
@pytest.mark.parametrize("option", ["sandbox-image", "base-image", "sandbox-runtime"])
def test_an_option_of_docker_with_another_sandbox(configured, sandbox, option):
    (problem,) = problems(configured, {"sandbox": sandbox}, {BY_NAME[option].variable: "x"})
    assert problem == (
        f"{BY_NAME[option].variable}: {option} is for docker, but --sandbox asks for {sandbox}: "
        "leave one of the two out"
    )


def test_an_image_to_use_and_one_to_build_on(configured):
    (problem,) = problems(configured, {"sandbox_image": "a"}, {"REGREEN_BASE_IMAGE": "b"})
    assert problem.startswith("REGREEN_BASE_IMAGE: base-image is not used where sandbox-image is given")


def test_a_build_gets_the_variables_that_are_named_and_set(configured):
    environment = {"HTTPS_PROXY": "http://proxy", "OTHER": "x"}
    settings = configured({"build_variables": "HTTPS_PROXY, HTTP_PROXY"}, environment)
    assert settings.build_environment == {"HTTPS_PROXY": "http://proxy"}
    assert configured({}, environment).build_environment == {}
    assert "http://proxy" not in repr(settings)


@pytest.mark.parametrize("name", ["GITHUB_TOKEN", "OPENAI_API_KEY", "AWS_SECRET_ACCESS_KEY", "db_password"])
def test_a_build_gets_no_secret(configured, name):
    (problem,) = problems(configured, file=f"build-variables: HTTPS_PROXY,{name}\n")
    assert f"regreen.yml:1: build-variables: {name} looks like a secret" in problem


@pytest.mark.parametrize("text", ["A;B", "1A", "A,,B", "*", "1A=b", "=b"])
def test_names_of_variables_are_names(configured, text):
    (problem,) = problems(configured, {"build_variables": text})
    assert problem == (
        f"--build-variables: '{text}' is not a list of variables' names, separated by commas, "
        "or lines like NAME=value"
    )


def test_a_budget_longer_than_a_sandbox_lives(configured):
    (problem,) = problems(configured, {"time_budget": "7h"})
    assert problem == (
        "--time-budget: time-budget 7h is longer than a sandbox lives, 6h: raise sandbox-lifetime too, "
        "in a file given with --config or as REGREEN_SANDBOX_LIFETIME"
    )
    assert configured({"time_budget": "7h", "sandbox_lifetime": "8h"}).time_budget == 25_200
