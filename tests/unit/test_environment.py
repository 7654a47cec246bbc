"""Which interpreter of the host runs the tests: never one that came with the project."""

import subprocess
import sys
from pathlib import Path

import pytest

from sandbox.environment import host_interpreter
from sandbox.errors import SandboxUnavailable
from sandbox.interpreter import Interpreter


@pytest.fixture
def hostile_environment(tmp_path):
    """A virtual environment whose start-up file leaves a trace with what it sees."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / ".venv"], check=True)
    (site,) = (tmp_path / ".venv" / "lib").glob("python*/site-packages")
    trace = tmp_path / "trace"
    (site / "evil.pth").write_text(f"import os; open({str(trace)!r}, 'a').write(str(dict(os.environ)))\n")
    return tmp_path, trace


def test_an_environment_in_the_project_is_not_run(hostile_environment, monkeypatch):
    project, trace = hostile_environment
    monkeypatch.chdir(project)
    assert host_interpreter(None, virtual_env="") == str(Path(sys.executable).absolute())
    assert not trace.exists()


def test_an_interpreter_that_is_asked_sees_nothing_of_our_environment(hostile_environment, monkeypatch):
    project, trace = hostile_environment
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    interpreter = Interpreter.of(str(project / ".venv" / "bin" / "python"))
    assert not interpreter.has_module("pytest")
    assert "sk-secret" not in trace.read_text()


def test_the_activated_environment_comes_first(tmp_path):
    link = tmp_path / "bin" / "python"
    link.parent.mkdir()
    link.symlink_to(sys.executable)
    chosen = host_interpreter(None, virtual_env=str(tmp_path))
    assert Path(chosen) in {link, Path(sys.executable)}


def test_a_named_interpreter_is_taken_or_refused(hostile_environment):
    project, _ = hostile_environment
    assert host_interpreter(sys.executable, virtual_env="") == str(Path(sys.executable).absolute())
    with pytest.raises(SandboxUnavailable, match="has no pytest"):
        host_interpreter(str(project / ".venv" / "bin" / "python"), virtual_env="")
    with pytest.raises(SandboxUnavailable, match="no such Python interpreter"):
        host_interpreter("/no/such/python", virtual_env="")
