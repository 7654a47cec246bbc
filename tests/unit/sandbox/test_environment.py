"""Which interpreter of the host runs the tests, never one that came with the project; and which image."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from docker.errors import APIError, BuildError, ImageNotFound
from every_case import every_case

from sandbox.environment.images import docker_image, host_interpreter
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


def test_without_pytest_an_interpreter_is_taken_and_one_with_pytest_comes_first(monkeypatch):
    monkeypatch.setattr(Interpreter, "has_module", lambda _self, _name: False)
    assert host_interpreter(None, virtual_env="") == str(Path(sys.executable).absolute())
    found = iter([False, True])
    monkeypatch.setattr(Interpreter, "has_module", lambda _self, _name: next(found))
    link = host_interpreter(None, virtual_env="")
    assert link == Interpreter.of("python3").executable


def test_a_named_interpreter_is_taken_or_refused(hostile_environment):
    project, _ = hostile_environment
    assert host_interpreter(sys.executable, virtual_env="") == str(Path(sys.executable).absolute())
    with pytest.raises(SandboxUnavailable, match="has no pytest"):
        host_interpreter(str(project / ".venv" / "bin" / "python"), virtual_env="")
    with pytest.raises(SandboxUnavailable, match="no such Python interpreter"):
        host_interpreter("/no/such/python", virtual_env="")


class Images:
    """An engine's images: those that it has, and what it answers when it pulls or builds."""

    def __init__(self, has=(), pull=None, build=None):
        self._has, self._answers, self.built = set(has), {"pull": pull, "build": build}, []

    def get(self, name):
        if name not in self._has:
            raise ImageNotFound(f"no {name}")
        return SimpleNamespace(id="sha256:0")

    def pull(self, name):
        if error := self._answers["pull"]:
            raise error
        self._has.add(name)
        return self.get(name)

    def build(self, *, tag, **_more):
        if error := self._answers["build"]:
            raise error
        self._has.add(tag)
        self.built.append(tag)


def with_pytest(images):
    return docker_image(SimpleNamespace(client=SimpleNamespace(images=images)), "base:1", python="python3")


def test_an_image_is_pulled_and_built_upon_once():
    images = Images()
    assert with_pytest(images) == with_pytest(images) == images.built[0]
    assert len(images.built) == 1


@every_case(
    ("images", "said"),
    [
        (
            Images(pull=APIError("500", explanation="no such host")),
            "cannot get the image base:1: no such host",
        ),
        (
            Images(has=["base:1"], build=APIError("500", explanation="disk full")),
            "cannot get the image base:1: disk full",
        ),
        (
            Images(
                has=["base:1"], build=BuildError("failed", [{"stream": "a\n"}, {"error": "x\nno pip\n"}, {}])
            ),
            "cannot add pytest to the image base:1: no pip",
        ),
        (Images(has=["base:1"], build=BuildError("it failed", [])), "base:1: it failed"),
    ],
)
def test_an_image_that_cannot_be_had_or_built_upon_is_named_with_the_reason(images, said):
    with pytest.raises(SandboxUnavailable, match=said + "$"):
        with_pytest(images)
