"""Options reach the sandbox from each place where they can be set."""

import os

import pytest

# It passes only with the limits that were chosen.
LIMITED = """\
import resource


def test_limits():
    assert resource.getrlimit(resource.RLIMIT_AS)[0] == 3 * 2**30
"""
PLAIN = ["--sandbox", "process", "--max-attempts", "1"]
CHOSEN = {"sandbox-memory": "3g"}


@pytest.fixture
def fix(tmp_path, monkeypatch, project_environment, regreen):
    """Runs ``regreen fix`` on a project; returns its status and what it said."""
    for name in list(os.environ):
        if name.startswith(("REGREEN_", "INPUT_", "OPENAI_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("VIRTUAL_ENV", str(project_environment))
    project = tmp_path / "project"
    project.mkdir()
    (project / "test_limits.py").write_text(LIMITED)

    def run(*options, environment=None):
        variables = {**os.environ, **(environment or {})}
        done = regreen("fix", project, *PLAIN, *options, environment=variables)
        return done.returncode, done.stderr.decode()

    return run


@pytest.mark.slow
def test_by_options(fix):
    options = [word for name, value in CHOSEN.items() for word in (f"--{name}", value)]
    status, words = fix(*options)
    assert (status, "pass already" in words) == (1, True), words


@pytest.mark.slow
def test_by_variables(fix):
    variables = {f"REGREEN_{name.upper().replace('-', '_')}": value for name, value in CHOSEN.items()}
    assert "pass already" in fix(environment=variables)[1]


@pytest.mark.slow
def test_by_the_actions_inputs(fix):
    assert "pass already" in fix(environment={f"INPUT_{n.upper()}": v for n, v in CHOSEN.items()})[1]


@pytest.mark.slow
def test_by_a_file(fix, tmp_path):
    file = tmp_path / "regreen.yml"
    file.write_text("".join(f"{name}: {value}\n" for name, value in CHOSEN.items()))
    assert "pass already" in fix("--config", str(file))[1]


@pytest.mark.slow
def test_not_by_a_file_that_lies_in_the_project(fix, tmp_path):
    (tmp_path / "project" / ".github").mkdir()
    text = "".join(f"{name}: {value}\n" for name, value in CHOSEN.items())
    for name in ("regreen.yml", ".github/regreen.yml"):
        (tmp_path / "project" / name).write_text(text)
    assert "pass already" not in fix()[1]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--sandbox-processes", "64"], "--sandbox-processes is no option of the command line"),
        (["--sandbox-image", "a:1"], "--sandbox-image: sandbox-image is for docker"),
        (["--config", "/no/such.yml"], "cannot read the configuration /no/such.yml: No such file"),
        (["--time-budget", "soon"], "--time-budget: 'soon' is not a time such as 90s or 10m"),
    ],
)
def test_what_cannot_be_is_one_line(fix, options, words):
    status, said = fix(*options)
    (line,) = said.splitlines()
    assert (status, line.startswith(f"regreen: {words}")) == (2, True), said
