"""Settings: the command line before the environment before the defaults, and no bad value gets through."""

from pathlib import Path

import pytest

from bot.config import DEFAULT_ATTEMPTS, SANDBOXES, Secrets, load
from bot.errors import ConfigurationError

ENVIRONMENT = {
    "REGREEN_MODEL": "from-environment",
    "REGREEN_SANDBOX": "process",
    "REGREEN_SANDBOX_IMAGE": "image:1",
    "OPENAI_API_KEY": "sk-secret",
    "OPENAI_BASE_URL": "http://localhost:1/v1",
    "VIRTUAL_ENV": "/venv",
    "XDG_STATE_HOME": "/state",
}


def test_the_defaults(tmp_path):
    settings = load({"project": tmp_path}, {})
    assert settings.project == tmp_path
    assert (settings.strategy, settings.sandbox, settings.model) == ("search", "auto", "")
    assert (settings.time_budget, settings.test_timeout) == (300.0, 30.0)
    assert (settings.resume, settings.log, settings.test_command) == (False, None, "")
    assert settings.secrets.api_key == ""


def test_the_environment_adds(tmp_path):
    settings = load({"project": tmp_path}, ENVIRONMENT)
    assert (settings.model, settings.sandbox) == ("from-environment", "process")
    assert (settings.sandbox_image, settings.base_url) == ("image:1", "http://localhost:1/v1")
    assert (settings.virtual_env, settings.secrets.api_key) == ("/venv", "sk-secret")
    assert settings.state_folder == Path("/state/regreen/runs")


def test_the_command_line_wins(tmp_path):
    options = {"project": tmp_path, "model": "mine", "sandbox": "docker", "sandbox_image": "image:2"}
    settings = load(options, ENVIRONMENT)
    assert (settings.model, settings.sandbox, settings.sandbox_image) == ("mine", "docker", "image:2")


def test_an_option_that_was_not_given_leaves_the_environment_its_say(tmp_path):
    settings = load({"project": tmp_path, "model": None, "sandbox": None, "strategy": None}, ENVIRONMENT)
    assert (settings.model, settings.sandbox, settings.strategy) == ("from-environment", "process", "search")


def test_an_empty_variable_is_one_that_is_not_set(tmp_path):
    """A workflow passes an input that nobody set as an empty text."""
    settings = load({"project": tmp_path}, dict.fromkeys(ENVIRONMENT, "") | {"HOME": ""})
    assert settings.sandbox == "auto"
    assert settings.state_folder.is_absolute()
    assert settings.state_folder == load({"project": tmp_path}, {}).state_folder


def test_the_state_lies_under_the_home_folder_and_never_under_the_working_one(tmp_path):
    assert load({"project": tmp_path}, {"HOME": "/h"}).state_folder == Path("/h/.local/state/regreen/runs")
    # the XDG specification: a relative path is to be ignored
    settings = load({"project": tmp_path}, {"HOME": "/h", "XDG_STATE_HOME": "state"})
    assert settings.state_folder == Path("/h/.local/state/regreen/runs")


def test_the_project_becomes_absolute(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert load({}, {}).project == tmp_path
    (tmp_path / "sub").mkdir()
    assert load({"project": Path("sub")}, {}).project == tmp_path / "sub"


@pytest.mark.parametrize("strategy", sorted(DEFAULT_ATTEMPTS))
def test_attempts_by_strategy_unless_chosen(tmp_path, strategy):
    assert load({"project": tmp_path, "strategy": strategy}, {}).attempts == DEFAULT_ATTEMPTS[strategy]
    assert load({"project": tmp_path, "strategy": strategy, "max_attempts": 7}, {}).attempts == 7


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(ConfigurationError, match=r"not a repository: .*gone is not a folder"):
        load({"project": tmp_path / "gone"}, {})


def test_a_project_that_is_a_file(tmp_path):
    (tmp_path / "file.py").touch()
    with pytest.raises(ConfigurationError, match=r"file\.py is not a folder"):
        load({"project": tmp_path / "file.py"}, {})


@pytest.mark.parametrize(
    ("options", "environment"), [({"sandbox": "vm"}, {}), ({}, {"REGREEN_SANDBOX": "vm"})]
)
def test_no_such_sandbox(tmp_path, options, environment):
    with pytest.raises(ConfigurationError, match="no such sandbox: vm; choose one of ") as caught:
        load({"project": tmp_path, **options}, environment)
    assert all(name in str(caught.value) for name in SANDBOXES)


def test_no_such_strategy(tmp_path):
    with pytest.raises(ConfigurationError, match="no such strategy: guess; choose one of search, react"):
        load({"project": tmp_path, "strategy": "guess"}, {})


def test_no_text_of_the_settings_shows_the_key(tmp_path):
    settings = load({"project": tmp_path}, ENVIRONMENT)
    assert "sk-secret" not in repr(settings)
    assert "sk-secret" not in str(Secrets(api_key="sk-secret"))
