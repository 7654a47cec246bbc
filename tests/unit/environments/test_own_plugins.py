"""Which plugins of Regreen's own environment a project's tests run without."""

import sys

import pytest

from bot.environments.own_plugins import without_unused
from sandbox.command import Launch, PytestCommand, ScriptCommand

TEST = {"test_a.py": b"def test_a():\n    assert True\n"}


def blocked(
    files: dict[str, bytes], command: PytestCommand | None = None, python: str = sys.executable
) -> set[str]:
    """The plugins that the command blocks then."""
    found = without_unused(command or PytestCommand(), python, files)
    assert isinstance(found, PytestCommand)
    return {word.removeprefix("no:") for word in found.arguments if word.startswith("no:")}


def test_a_project_that_names_no_plugin_runs_without_those_that_are_known() -> None:
    assert {"langsmith_plugin", "hypothesispytest", "xdist", "anyio"} <= blocked(TEST)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (b"import hypothesis", "hypothesispytest"),
        (b"@pytest.mark.anyio", "anyio"),
        (b"@pytest.mark.flaky(reruns=2)", "rerunfailures"),
        (b"def test_a(worker_id): pass", "xdist"),
        (b"@pytest.mark.langsmith", "langsmith_plugin"),
    ],
)
def test_what_a_test_names_is_kept(text: bytes, kept: str) -> None:
    assert kept not in blocked({"test_a.py": text})


def test_options_of_plugins_keep_them_wherever_they_are_given() -> None:
    assert "pytest_cov" not in blocked({**TEST, "tox.ini": b"[pytest]\naddopts = --cov=a"})
    assert "xdist" not in blocked(TEST, PytestCommand(arguments=("-n", "2")))
    launch = Launch(environment=(("PYTEST_ADDOPTS", "--reruns 2"),))
    assert "rerunfailures" not in blocked(TEST, PytestCommand(launch=launch))


def test_the_arguments_of_the_command_come_last() -> None:
    found = without_unused(PytestCommand(arguments=("tests", "-q")), sys.executable, TEST)
    assert isinstance(found, PytestCommand)
    assert found.arguments[-2:] == ("tests", "-q")


def test_another_environment_and_other_commands_are_left_as_they_are() -> None:
    assert not blocked(TEST, python="/opt/project/bin/python")
    assert not blocked(TEST, python="python3")
    script = ScriptCommand(text="python run.py", path="run.py")
    assert without_unused(script, sys.executable, TEST) is script
