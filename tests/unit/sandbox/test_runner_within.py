"""Paths of code relative to the project, without a look at the file system."""

import os
import sys
from unittest.mock import Mock

import pytest

from sandbox.runner.explain import Explainer
from sandbox.runner.tracer import LineTracer
from sandbox.runner.within import Within


@pytest.fixture
def project(tmp_path, monkeypatch):
    root = tmp_path / "project"
    (root / "pkg").mkdir(parents=True)
    (tmp_path / "link").symlink_to(root / "pkg")
    monkeypatch.chdir(root)
    monkeypatch.setattr(sys, "path", [str(tmp_path / "link"), 3, b"x", "a\0b", *sys.path])
    return root


def forbid(monkeypatch):
    def forbidden(*_arguments, **_named):
        raise AssertionError("the file system is not to be asked")

    for name in ("getcwd", "lstat", "stat", "readlink"):
        monkeypatch.setattr(os, name, forbidden)


def test_within_knows_the_project_by_spelling_alone(project, tmp_path, monkeypatch):
    within = Within(str(project))
    with monkeypatch.context() as patched:
        forbid(patched)
        names = [
            str(project / "pkg" / "a.py"),
            "pkg/a.py",
            "./pkg/../pkg/a.py",
            str(tmp_path / "link" / "a.py"),
            str(tmp_path / "project2" / "a.py"),
            "<string>",
            "<attrs generated init pkg.a>",
            os.__file__,
        ]
        found = [within.relative(name) for name in names]
    assert found == ["pkg/a.py", "pkg/a.py", "pkg/a.py", "pkg/a.py", None, None, None, None]
    (tmp_path / "root").symlink_to(project)
    assert Within(str(tmp_path / "root")).relative(str(tmp_path / "root" / "pkg" / "a.py")) == "pkg/a.py"


def test_a_mock_of_the_path_functions_answers_nothing(project, monkeypatch):
    """pytest's own tests replace ``os.path.abspath``; the mock's answer was no JSON and ended the run."""
    within, explainer = Within(str(project)), Explainer(str(project))
    with monkeypatch.context() as patched:
        for name in ("abspath", "normpath", "realpath", "join"):
            patched.setattr(os.path, name, Mock())
        found = [within.relative("pkg/a.py"), explainer.relative(str(project / "pkg" / "a.py"))]
    assert found == ["pkg/a.py", "pkg/a.py"]


def test_a_traced_test_may_forbid_the_file_system(project, monkeypatch):
    code = compile("def generated():\n    return 1\n", "<string>", "exec")
    own = compile("def f():\n    return generated()\n", "pkg/a.py", "exec")
    names = {}
    exec(code, names)
    exec(own, names)
    tracer, before = LineTracer(str(project)), sys.gettrace()
    with monkeypatch.context() as patched:
        forbid(patched)
        tracer.start()
        try:
            names["f"]()
        finally:
            lines = tracer.stop()
            sys.settrace(before)
    assert lines == {"pkg/a.py": [2]}
