"""HumanEvalFix, QuixBugs and the tasks that nothing honest wins; what is read here was invented here."""

import ast
import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from every_case import every_case

from benchmarks.datasets.bogus import TASKS
from benchmarks.datasets.humanevalfix import MODULE, TEST, Protocol, load
from benchmarks.datasets.quixbugs import programs_in
from benchmarks.datasets.records import REVISION, dataset_file, records
from bot.errors import ConfigurationError, MachineError

ROW = {
    "task_id": "Python/0",
    "import": "",
    "declaration": "def half(n):\n",
    "prompt": 'def half(n):\n    """Half of n.\n    >>> half(4)\n    2\n    """\n',
    "buggy_solution": "    return n\n",
    "canonical_solution": "    return n // 2\n",
    "bug_type": "missing logic",
    "test_setup": "",
    "test": "def check(f):\n    assert f(10) == 5\n\ncheck(half)",
    "example_test": "def check(f):\n    assert f(4) == 2\ncheck(half)\n",
    "entry_point": "half",
}


@pytest.fixture
def file(tmp_path):
    def write(**changes):
        path = tmp_path / "tasks.jsonl"
        row = {name: value for name, value in (ROW | changes).items() if value is not None}
        path.write_text(json.dumps(row) + "\n", "utf-8")
        return path

    return write


def laid_out(path, protocol, tmp_path):
    (task,) = load(path, protocol=protocol)
    directory = task.lay_out(tmp_path / protocol.value)
    return task, (directory / MODULE).read_text("utf-8"), (directory / TEST).read_text("utf-8")


@every_case(("protocol", "documented"), [(Protocol.TESTS, False), (Protocol.TESTS_AND_DOCS, True)])
def test_tests_are_given_with_the_docstring_or_without(file, tmp_path, protocol, documented):
    task, module, test = laid_out(file(), protocol, tmp_path)
    assert ("Half of n" in module) is documented
    assert "f(10) == 5" in test
    assert task.judging == {}


def test_withheld_tests_judge_and_are_nowhere_in_the_project(file, tmp_path):
    task, module, test = laid_out(file(), Protocol.WITHHELD, tmp_path)
    assert "Half of n" in module
    assert "f(4) == 2" in test
    assert "f(10)" not in module + test
    assert "f(10) == 5" in task.judging[TEST]


@pytest.mark.parametrize("examples", ["", "    def check(f):\n  oops(", "assert half(4) == 2"])
def test_examples_that_are_no_test_leave_a_file_without_one(file, tmp_path, examples):
    _, _, test = laid_out(file(example_test=examples), Protocol.WITHHELD, tmp_path)
    assert "def test_" not in test
    compile(test, TEST, "exec")


def test_what_is_no_task_is_refused(file):
    for changes, missing in (({"prompt": None, "test": None}, "prompt, test"), ({"bug_type": 3}, "bug_type")):
        with pytest.raises(ConfigurationError, match=f"row 1: no HumanEvalFix task, it lacks {missing}"):
            list(load(file(**changes)))


@pytest.mark.slow
def test_rows_come_from_json_lines_gzipped_or_not_and_from_parquet(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    text = "".join(json.dumps({"a": number}) + "\n\n" for number in range(3)).encode()
    for name, data in (("plain", text), ("zipped", gzip.compress(text))):
        (tmp_path / name).write_bytes(data)
    parquet.write_table(pyarrow.table({"a": [0, 1, 2]}), tmp_path / "table")
    for name in ("plain", "zipped", "table"):
        assert [row["a"] for row in records(tmp_path / name)] == [0, 1, 2], name


@pytest.mark.parametrize(
    "data", [b"{\n", b"[1]\n", b"\xff\xfe\n", b"PAR1 and no more", b"\x1f\x8b and no more"]
)
def test_what_is_no_dataset_is_refused(tmp_path, data):
    path = tmp_path / "tasks"
    path.write_bytes(data)
    with pytest.raises(ConfigurationError):
        list(records(path))


def test_a_dataset_that_is_neither_here_nor_a_name_on_the_hub(tmp_path):
    path = tmp_path / "tasks.jsonl"
    path.write_text("", "utf-8")
    assert dataset_file(str(path), "main") == path
    for name in ("tasks.jsonl", "a/b/c", str(tmp_path / "nothing")):
        with pytest.raises(MachineError, match="neither a file here nor a name on the hub"):
            dataset_file(name, "main")


def test_the_dataset_is_pinned_to_a_commit_everywhere():
    assert re.fullmatch("[0-9a-f]{40}", REVISION)
    workflow = Path(__file__).parents[3] / ".github/workflows/benchmark.yml"
    assert "--revision" not in workflow.read_text("utf-8")


HALVES = "def halves(n):\n    while n > 1:\n        n //= 2\n        yield n{wrong}\n"
TESTS = """import json
from pathlib import Path
import pytest
from load_testdata import ROOT
from node import Node
if pytest.use_correct:
    from correct_python_programs.halves import halves
else:
    from python_programs.halves import halves

def test_halves():
    arguments, expected = json.loads((ROOT / "json_testcases" / "halves.json").read_text())
    assert list(halves(Node(*arguments).value)) == expected
"""


@pytest.fixture
def checkout(tmp_path):
    files = {
        "python_programs/halves.py": HALVES.format(wrong=" + 1"),
        "correct_python_programs/halves.py": HALVES.format(wrong=""),
        "json_testcases/halves.json": "[[8], [4, 2, 1]]\n",
        "python_programs/chain.py": "",
        "python_programs/node.py": "class Node:\n    def __init__(self, n):\n        self.value = n\n",
        "python_testcases/test_chain.py": "",
        "python_testcases/test_halves.py": TESTS,
        "python_testcases/load_testdata.py": "from pathlib import Path\nROOT = Path(__file__).parents[1]\n",
        "python_programs/untested.py": "",
    }
    for name, text in files.items():
        path = tmp_path / "quixbugs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return tmp_path / "quixbugs"


def pytest_status(directory):
    argv = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(directory)]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(argv, cwd=directory, env=environment, capture_output=True, check=False)
    return done.returncode


@pytest.mark.slow
def test_programs_are_laid_out_with_their_own_tests_alone(checkout, tmp_path):
    chain, halves = programs_in(checkout)
    assert (chain.name, halves.name) == ("quixbugs/chain", "quixbugs/halves")
    directory = halves.lay_out(tmp_path / "halves")
    assert not list(directory.rglob("*chain*"))
    assert pytest_status(directory) == 1
    for path, text in halves.reference.items():
        (directory / path).write_text(text, "utf-8")
    assert pytest_status(directory) == 0
    assert chain.reference == {}


def test_what_is_no_checkout_is_refused(tmp_path):
    with pytest.raises(ConfigurationError, match="no checkout of QuixBugs"):
        programs_in(tmp_path)


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
