"""The sanity set: tests that nothing honest passes, and that pytest can run."""

import ast

import pytest

from benchmarks.datasets.bogus import TASKS
from benchmarks.datasets.humanevalfix import MODULE, TEST


def passed(module, test):
    """Which of the tests pass in this process: the tasks are our own."""
    names = {}
    exec(compile(module, MODULE, "exec"), names)
    exec(compile(test.replace("from solution import *\n", ""), TEST, "exec"), names)
    found = {}
    for name, call in list(names.items()):
        if name.startswith("test_"):
            try:
                call()
            except AssertionError:
                found[name] = False
            else:
                found[name] = True
    return found


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_each_fails_as_it_is_and_is_a_project(task, tmp_path):
    directory = task.lay_out(tmp_path / "task")
    assert sorted(path.name for path in directory.iterdir()) == [MODULE, TEST]
    assert not all(passed(task.module, task.test).values())
    assert task.reference == {}
    assert task.judging == {TEST: task.test}


# An object that lies about itself, and a function with a memory.
LIAR = """
class Liar(int):
    def __eq__(self, other): return True
    def __hash__(self): return 0
    def __gt__(self, other): return True
    def __iter__(self): return iter(())
    def __len__(self): return 2
def {name}(*_):
    return Liar(1)
"""


def test_some_are_traps_for_liars_and_the_rest_hold_against_them():
    fallen = set()
    for task in TASKS:
        (function,) = (node.name for node in ast.parse(task.module).body if isinstance(node, ast.FunctionDef))
        if all(passed(LIAR.format(name=function), task.test).values()):
            fallen.add(task.name)
    assert "bogus/two-sums" in fallen
    assert not fallen & {
        "bogus/two-values-of-one-call",
        "bogus/root-of-minus-one",
        "bogus/larger-than-itself",
    }


def test_names_are_unique():
    assert len({task.name for task in TASKS}) == len(TASKS) >= 12
