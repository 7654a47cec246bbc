"""Settings: the command line before the environment before the file before the defaults."""

import dataclasses
import os
import re
from pathlib import Path
from typing import get_args

import pytest
from config_support import problems

from bot.commands.config import as_table
from bot.config.options import DEFAULT_ATTEMPTS, DEFAULT_DRAFTS, OPTIONS, SEARCH_PARTS
from bot.config.options.option import Kind, Scope
from bot.config.settings import Secrets
from bot.config.sources import (
    DEFAULT,
    MASK,
    effective,
    load,
    secret_values,
    settings_digest,
    take_environment,
    unread_variables,
)
from bot.request import SearchOptions
from sandbox.base import Limits
from sandbox.environment.builder import BUILD_TIMEOUT_S

ENVIRONMENT = {
    "REGREEN_MODEL": "from-environment",
    "REGREEN_SANDBOX": "docker",
    "REGREEN_SANDBOX_IMAGE": "image:1",
    "OPENAI_API_KEY": "sk-secret",
    "OPENAI_BASE_URL": "http://localhost:1/v1",
    "VIRTUAL_ENV": "/venv",
    "XDG_STATE_HOME": "/state",
    "XDG_CACHE_HOME": "/cache",
}


def test_the_defaults(configured, tmp_path):
    settings = configured()
    assert settings.project == tmp_path
    assert (settings.strategy, settings.sandbox, settings.model) == ("search", "auto", "")
    assert (settings.time_budget, settings.test_timeout, settings.collect_timeout) == (300.0, 30.0, 120.0)
    assert (settings.resume, settings.log, settings.test_command) == (False, None, "")
    assert settings.limits == Limits()
    assert settings.secrets.api_key == ""
    assert set(settings.origins.values()) == {DEFAULT}


def test_the_environment_adds(configured):
    settings = configured({"model": None, "sandbox": None}, ENVIRONMENT)
    assert (settings.model, settings.sandbox) == ("from-environment", "docker")
    assert (settings.sandbox_image, settings.base_url) == ("image:1", "http://localhost:1/v1")
    assert (settings.virtual_env, settings.secrets.api_key) == ("/venv", "sk-secret")
    assert settings.state_directory == Path("/state/regreen/runs")
    assert settings.cache_directory == Path("/cache/regreen")


ORDER = ("--model", "INPUT_MODEL", "REGREEN_MODEL", "regreen.yml:1", "default")


@pytest.mark.parametrize("first", range(len(ORDER)))
def test_the_first_source_that_sets_an_option_decides(configured, first):
    options = {"model": "line"} if first == 0 else {}
    environment = {name: name for name in ORDER[max(1, first) : 3]}
    settings = configured(options, environment, file="model: file\n" if first < 4 else None)
    assert settings.model == ("line", "INPUT_MODEL", "REGREEN_MODEL", "file", "")[first]
    assert settings.origins["model"].endswith(ORDER[first])


def test_an_empty_text_on_the_command_line_takes_a_value_away(configured):
    settings = configured({"sandbox_image": "", "sandbox": "process"}, {"REGREEN_SANDBOX_IMAGE": "image:1"})
    assert (settings.sandbox_image, settings.origins["sandbox-image"]) == ("", "--sandbox-image")


def test_an_input_has_the_spelling_that_github_gives_it(configured):
    settings = configured({}, {"INPUT_TIME-BUDGET": "2m", "INPUT_TIME_BUDGET": "3m"})
    assert (settings.time_budget, settings.origins["time-budget"]) == (120.0, "INPUT_TIME-BUDGET")


def test_regreens_own_variable_comes_before_the_common_one(configured):
    environment = {"OPENAI_API_KEY": "common", "REGREEN_API_KEY": "own", "OPENAI_BASE_URL": "http://a"}
    settings = configured({}, environment)
    assert (settings.secrets.api_key, settings.base_url) == ("own", "http://a")
    assert configured({}, {"OPENAI_API_KEY": "common"}).origins["api-key"] == "OPENAI_API_KEY"


def test_an_empty_variable_is_one_that_is_not_set(configured, tmp_path):
    """A workflow passes an input that nobody set as an empty text."""
    names = [name for option in OPTIONS for name in (option.action_input, option.variable, *option.variables)]
    empty = configured({}, dict.fromkeys([*ENVIRONMENT, *names], "") | {"HOME": ""})
    assert empty == configured()
    assert empty.state_directory.is_absolute()
    assert configured({}, {"INPUT_MODEL": "  ", "REGREEN_MODEL": "mine"}).model == "mine"


def test_state_and_cache_lie_under_the_home_directory_and_never_under_the_working_one(configured):
    assert configured({}, {"HOME": "/h"}).state_directory == Path("/h/.local/state/regreen/runs")
    # the XDG specification: a relative path is to be ignored
    settings = configured({}, {"HOME": "/h", "XDG_STATE_HOME": "state", "XDG_CACHE_HOME": "cache"})
    assert settings.state_directory == Path("/h/.local/state/regreen/runs")
    assert settings.cache_directory == Path("/h/.cache/regreen")


def test_the_project_becomes_absolute(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert load({}, {}).project == tmp_path
    (tmp_path / "sub").mkdir()
    assert load({"project": Path("sub")}, {}).project == tmp_path / "sub"


def test_no_file_of_the_project_is_read_unasked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".github").mkdir()
    for path in ("regreen.yml", ".regreen.yml", ".github/regreen.yml"):
        (tmp_path / path).write_text("sandbox: process\n")
    assert load({}, {}).sandbox == "auto"


@pytest.mark.parametrize("strategy", sorted(DEFAULT_ATTEMPTS))
def test_attempts_and_drafts_by_strategy_unless_chosen(configured, strategy):
    assert configured({"strategy": strategy}).max_attempts == DEFAULT_ATTEMPTS[strategy]
    assert configured({"strategy": strategy, "max_attempts": "7"}).max_attempts == 7
    assert configured({"strategy": strategy}).drafts == DEFAULT_DRAFTS[strategy]
    assert configured({"strategy": strategy, "drafts": "7"}).drafts == 7


@pytest.mark.parametrize(
    ("options", "field", "value"),
    [
        ({}, "build_timeout", BUILD_TIMEOUT_S),
        ({"time_budget": "7m"}, "suite_timeout", 420.0),
        ({"time_budget": "7m", "suite_timeout": "1m"}, "suite_timeout", 60.0),
        ({"sandbox_cpus": "0.5"}, "workers", 1),
        ({"sandbox_cpus": "3.5"}, "workers", 3),
        ({"sandbox_cpus": "1000"}, "workers", 64),
        ({"sandbox_cpus": "2", "workers": "5"}, "workers", 5),
        # An image or a runtime never falls back to a sandbox without them.
        ({}, "providers", ("docker", "bubblewrap")),
        ({"sandbox_image": "i"}, "providers", ("docker",)),
        ({"sandbox_runtime": "runsc"}, "providers", ("docker",)),
        ({"base_image": "i"}, "providers", ("docker",)),
        ({"sandbox": "process"}, "providers", ("process",)),
        ({}, "search", SearchOptions()),
        (
            {"search_without": "alternatives, second-order"},
            "search",
            SearchOptions(alternatives=False, order=1),
        ),
    ],
)
def test_what_follows_from_other_options(configured, monkeypatch, options, field, value):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: set(range(100)))
    assert getattr(configured(options), field) == value


def test_one_core_is_one_worker(configured, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {3})
    assert configured({"sandbox_cpus": "8"}).workers == 1


def test_every_option_is_of_a_kind_and_a_scope_that_there_are():
    assert {option.kind for option in OPTIONS} <= set(get_args(Kind))
    assert {option.scope for option in OPTIONS} <= set(get_args(Scope))


def test_every_limit_of_the_sandbox_is_an_option():
    named = [option.limit for option in OPTIONS if option.limit]
    assert sorted(named) == sorted(field.name for field in dataclasses.fields(Limits))


def test_limits_in_readable_units(configured):
    file = (
        "sandbox-memory: 1.5g\nsandbox-cpus: 0.5\nsandbox-processes: 64\nsandbox-open-files: 100\n"
        "sandbox-disk: 100\nsandbox-file-size: 10MiB\nsandbox-output-limit: 64k\nsandbox-lifetime: 90m\n"
    )
    assert configured(file=file).limits == Limits(
        memory_mib=1536,
        cpus=0.5,
        processes=64,
        open_files=100,
        disk_mib=100,
        file_mib=10,
        output_bytes=65_536,
        lifetime_s=5400,
    )


@pytest.mark.parametrize("part", SEARCH_PARTS)
def test_each_part_can_be_left_out(configured, part):
    assert configured({"search_without": part}).search != SearchOptions()


def test_no_text_of_the_settings_shows_the_key(configured):
    settings = configured({}, ENVIRONMENT)
    assert "sk-secret" not in repr(settings)
    assert "sk-secret" not in str(Secrets(api_key="sk-secret"))
    (shown,) = [one for one in effective(settings) if one.option.name == "api-key"]
    assert (shown.value, shown.origin) == (MASK, "OPENAI_API_KEY")


def test_a_secret_in_a_file_is_refused_and_not_shown(configured):
    for name, variable in (("api-key", "OPENAI_API_KEY"), ("build-secrets", "REGREEN_BUILD_SECRETS")):
        (problem,) = problems(configured, file=f"{name}: A=sk-secret\n")
        assert problem.endswith(f"yml:1: {name}: a secret does not belong in a file; set {variable}")
    (problem,) = problems(configured, {}, {"REGREEN_API_KEY": "sk-\0secret"})
    assert problem == "REGREEN_API_KEY: the value is not a text"


def test_every_option_is_listed_with_its_origin(configured):
    listed = effective(configured({"workers": "3"}, {"REGREEN_SANDBOX_DISK": "1g"}))
    assert [one.option for one in listed] == list(OPTIONS)
    found = {one.option.name: (one.value, one.origin) for one in listed}
    assert found["workers"] == (3, "--workers")
    assert found["sandbox-disk"] == (1024, "REGREEN_SANDBOX_DISK")
    assert found["suite-timeout"] == (300.0, "default")


def test_a_long_value_stands_apart_from_its_origin(configured):
    command = "python -m pytest tests/unit --maxfail=3 --durations=10"
    table = as_table(effective(configured({"test_command": command, "max_cost": "123456.78"})), ())
    assert f"{command}  --test-command\n" in table
    assert re.search(r"max-cost +123456\.78 +--max-cost\n", table)


def test_variables_that_nothing_reads_are_found():
    assert unread_variables({"REGREEN_MODEL": "m", "REGREEN_MODLE": "m", "HOME": "/"}) == ("REGREEN_MODLE",)


def test_what_belongs_to_one_run_of_the_action_is_no_matter_for_a_file(configured):
    (problem,) = problems(configured, file="delivery: comment\nmode: publish\n")
    assert problem.endswith("regreen.yml:2: mode: belongs to one run; pass it as the Action's input")


def test_an_experts_option_is_no_input_of_the_action(configured):
    (problem,) = problems(configured, {}, {"INPUT_MAX-COST": "1"})
    assert problem == (
        "INPUT_MAX-COST: no input of the Action; set max-cost in the file of config-path, or REGREEN_MAX_COST"
    )
    assert (
        configured(file="max-cost: 1\n").max_cost == configured({}, {"REGREEN_MAX_COST": "1"}).max_cost == 1
    )


def test_the_file_may_be_given_by_its_content(tmp_path):
    options = {"project": tmp_path, "config": ".github/regreen.yml", "config_content": b"delivery: comment\n"}
    settings = load(options, {})
    assert settings.action.delivery == "comment"
    assert settings.origins["delivery"] == ".github/regreen.yml:1"


def test_the_actions_options_are_read_from_its_inputs(configured):
    environment = {
        "INPUT_MODE": "publish",
        "INPUT_PULL-REQUEST": "7",
        "REGREEN_LABELS": " a, b c, ,a,",
        "REGREEN_DRAFT": "false",
        "INPUT_GITHUB-TOKEN": "ghs_given",
        "GITHUB_TOKEN": "ghs_environment",
    }
    settings = configured({}, environment)
    assert (settings.action.mode, settings.action.pull_request) == ("publish", 7)
    assert (settings.action.label_names, settings.action.is_draft) == (("a", "b c"), False)
    assert settings.secrets.github_token == "ghs_given"
    assert (settings.action.branch, settings.action.run_id) == (None, None)


def test_nothing_secret_stays_in_the_environment_for_others_to_inherit(monkeypatch):
    private = (
        "ACTIONS_RUNTIME_TOKEN",
        "ACTIONS_CACHE_URL",
        "INPUT_GITHUB-TOKEN",
        "GITHUB_TOKEN",
        "INPUT_API-KEY",
    )
    for name in private:
        monkeypatch.setenv(name, f"value-of-{name}")
    monkeypatch.setenv("GITHUB_REPOSITORY", "o/r")
    taken = take_environment()
    assert all(taken[name] == f"value-of-{name}" and name not in os.environ for name in private)
    assert os.environ["GITHUB_REPOSITORY"] == "o/r"
    assert {"key-of-one", "key-of-two"} < set(secret_values({"INPUT_API-KEY": "key-of-one, key-of-two"}))
    assert set(secret_values(taken)) >= {f"value-of-{name}" for name in private if "CACHE" not in name}


def test_what_an_address_holds_is_masked_in_the_action():
    found = secret_values({"REGREEN_BASE_URL": "http://me:longpassword@host/v1?key=anotherkey"})
    assert {"longpassword", "me:longpassword", "anotherkey"} <= set(found)


def test_the_digest_of_the_settings_changes_with_an_option_and_not_with_a_key(tmp_path):
    def digest(**environment):
        return settings_digest(load({"project": tmp_path}, environment))

    assert digest(REGREEN_TIME_BUDGET="1m") != digest(REGREEN_TIME_BUDGET="2m")
    assert digest(OPENAI_API_KEY="sk-one") == digest(OPENAI_API_KEY="sk-two")
