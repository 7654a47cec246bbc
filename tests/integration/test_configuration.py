"""Options reach the sandbox from the places where they can be set, and from no file of the project."""

import os

import pytest

# It passes only with the limits that were chosen.
LIMITED = """\
import resource


def test_limits():
    assert resource.getrlimit(resource.RLIMIT_AS)[0] == 3 * 2**30
"""
FILE = "sandbox-memory: 3g\n"


@pytest.fixture
def fix(tmp_path, monkeypatch, project_environment, regreen):
    """Runs ``regreen fix`` on a project; returns what it said."""
    for name in list(os.environ):
        if name.startswith(("REGREEN_", "INPUT_", "OPENAI_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("VIRTUAL_ENV", str(project_environment))
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "test_limits.py").write_text(LIMITED)

    def run(*options, **variables):
        plain = ("--sandbox", "process", "--max-attempts", "1")
        done = regreen("fix", tmp_path / "project", *plain, *options, environment={**os.environ, **variables})
        return done.stderr.decode()

    return run


@pytest.mark.slow
@pytest.mark.parametrize("place", ["option", "variable", "input", "file"])
def test_an_option_reaches_the_sandbox(fix, tmp_path, place):
    (tmp_path / "regreen.yml").write_text(FILE)
    options, variables = {
        "option": (["--sandbox-memory", "3g"], {}),
        "variable": ([], {"REGREEN_SANDBOX_MEMORY": "3g"}),
        "input": ([], {"INPUT_SANDBOX-MEMORY": "3g"}),
        "file": (["--config", str(tmp_path / "regreen.yml")], {}),
    }[place]
    assert "pass already" in fix(*options, **variables)


@pytest.mark.slow
def test_not_by_a_file_that_lies_in_the_project(fix, tmp_path):
    (tmp_path / "project" / ".github").mkdir()
    for name in ("regreen.yml", ".github/regreen.yml"):
        (tmp_path / "project" / name).write_text(FILE)
    assert "pass already" not in fix()
