"""A checkout laid out as QuixBugs is, with programs invented here."""

import os
import subprocess
import sys

import pytest

from benchmarks.datasets.quixbugs import programs_in
from bot.errors import ConfigurationError

HALVES = "def halves(n):\n    while n > 1:\n        n //= 2\n        yield n{wrong}\n"
CALLS = """import pytest
from load_testdata import load_json_testcases
if pytest.use_correct:
    from correct_python_programs.halves import halves
else:
    from python_programs.halves import halves

@pytest.mark.parametrize("arguments,expected", load_json_testcases("halves"))
def test_halves(arguments, expected):
    assert list(halves(*arguments)) == expected
"""
LOADER = """import json
from pathlib import Path

def load_json_testcases(name):
    file = Path(__file__).parents[1] / "json_testcases" / f"{name}.json"
    return [json.loads(line) for line in file.read_text().splitlines()]
"""
OWN = """import pytest
from node import Node
if pytest.use_correct:
    from correct_python_programs.chain import chain
else:
    from python_programs.chain import chain

def test_chain():
    assert chain(Node(3)) == 3
"""


@pytest.fixture
def checkout(tmp_path):
    files = {
        "python_programs/halves.py": HALVES.format(wrong=" + 1"),
        "correct_python_programs/halves.py": HALVES.format(wrong=""),
        "json_testcases/halves.json": "[[8], [4, 2, 1]]\n[[1], []]\n",
        "python_programs/chain.py": "from node import Node\n\ndef chain(node):\n    return node.value\n",
        "python_programs/node.py": "class Node:\n    def __init__(self, n):\n        self.value = n\n",
        "python_testcases/test_chain.py": OWN,
        "python_testcases/test_halves.py": CALLS,
        "python_testcases/load_testdata.py": LOADER,
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
    assert pytest_status(chain.lay_out(tmp_path / "chain")) == 0


def test_what_is_no_checkout_is_refused(tmp_path):
    with pytest.raises(ConfigurationError, match="no checkout of QuixBugs"):
        programs_in(tmp_path)
