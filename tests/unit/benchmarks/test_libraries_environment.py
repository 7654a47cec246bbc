"""How a plan is named, and how an environment's paths are moved to a copy of the project."""

from pathlib import Path

from benchmarks.libraries.environment import _moved, plan
from sandbox.base import SandboxSpec
from sandbox.environment import PreparedEnvironment
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


def test_paths_of_the_workspace_are_those_of_the_copy():
    copy = Path("/tmp/copy")
    value = "/workspace:/workspace/src:/workspace2:src:/usr/bin"
    assert _moved(value, copy) == "/tmp/copy:/tmp/copy/src:/workspace2:src:/usr/bin"
