"""What is kept of how an environment was made, and how its paths are moved to a copy of the project."""

from pathlib import Path

from benchmarks.libraries.environment import MAX_NOTE, MAX_NOTES, Notes, _moved, plan
from sandbox.base import SandboxSpec
from sandbox.environment.builder import PreparedEnvironment
from sandbox.snapshot import Snapshot


def environment(**changes):
    return PreparedEnvironment(spec=SandboxSpec(python="python3"), snapshot=Snapshot(entries=()), **changes)


def test_a_plan_is_named_with_its_python_its_command_and_what_is_left_out():
    made = environment(
        name="the job test of ci.yml",
        explanation="Python 3.12: the job's\ninstalls: pytest",
        left_out=("a of the group docs (it is gone)", "b of the group docs (it is gone)"),
    )
    assert plan(made, "pytest tests") == "the job test of ci.yml; Python 3.12; by pytest tests; 2 left out"
    assert not plan(environment(), "")


def test_what_is_kept_of_the_progress_is_about_the_environment_and_limited():
    notes = Notes()
    notes.stage("search", "12 candidates")
    notes.stage("environment")
    for number in range(2 * MAX_NOTES):
        notes.stage("environment", f"{number}" + "x" * MAX_NOTE)
    assert len(notes.lines) == MAX_NOTES
    assert {len(line) for line in notes.lines} == {MAX_NOTE}


def test_paths_of_the_workspace_are_those_of_the_copy():
    copy = Path("/tmp/copy")
    value = "/workspace:/workspace/src:/workspace2:src:/usr/bin"
    assert _moved(value, copy) == "/tmp/copy:/tmp/copy/src:/workspace2:src:/usr/bin"
