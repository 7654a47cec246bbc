"""A checkout laid out as QuixBugs is, with programs invented here."""

import os
import subprocess
import sys

import pytest

from benchmarks.datasets.quixbugs import programs_in
from bot.errors import ConfigurationError

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
