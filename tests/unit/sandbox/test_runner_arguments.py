"""What a project's tests find in ``sys.argv``."""

import os
import sys

import pytest

from sandbox.runner.pytest_child import ARGUMENTS, ChildSettings


@pytest.mark.parametrize(
    ("environment", "expected"),
    [({}, ["pytest"]), ({ARGUMENTS: "manage.py test"}, ["manage.py", "test"])],
    ids=["pytest", "Django's command"],
)
def test_a_project_may_ask_whether_its_tests_run(monkeypatch, tmp_path, environment, expected):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "argv", list(sys.argv))
    monkeypatch.setenv(ARGUMENTS, "")
    settings = {"root": str(tmp_path), "arguments": [], "environment": environment, "search_path": []}
    ChildSettings(settings).enter()
    assert sys.argv == expected
    assert ARGUMENTS not in os.environ
