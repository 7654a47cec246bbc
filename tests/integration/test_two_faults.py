"""Programs with two faults, in a real sandbox: what one change leaves red, a second one fixes."""

import time

import pytest
from fakes.progress import FakeProgress

from bot.engine import repair
from bot.patch.apply import apply
from bot.request import Budget, RepairRequest, SearchOptions
from bot.result import Outcome
from sandbox.command import PytestCommand
from sandbox.snapshot import take
from sandbox.testing import SandboxTestbeds

pytestmark = pytest.mark.bubblewrap

# Fixing the first fault moves the failing assertion to a later line of the same test.
ONE_FUNCTION = {
    "shelf.py": (
        "def arrange(books, width):\n    shelves = []\n    current = []\n    used = 0\n"
        "    for title, size in books:\n        if used + size >= width:\n"
        "            shelves.append(current)\n            current = []\n            used = 1\n"
        "        current.append(title)\n        used += size\n"
        "    if current:\n        shelves.append(current)\n    return shelves\n"
    ),
    "test_shelf.py": (
        "from shelf import arrange\n\n\n"
        "def test_arrange():\n    assert arrange([], 5) == []\n    assert arrange([('a', 2)], 5) == [['a']]\n"
        "    assert arrange([('a', 2), ('b', 3)], 5) == [['a', 'b']]\n"
        "    assert arrange([('a', 3), ('b', 3)], 5) == [['a'], ['b']]\n"
        "    assert arrange([('a', 4), ('b', 2), ('c', 3)], 5) == [['a'], ['b', 'c']]\n"
    ),
}
# Behind one truth: neither change alone shows that it is half of the repair.
ONE_TRUTH = {
    "ferry.py": "def may_board(length, weight):\n    return length < 12 and weight < 7500\n",
    "test_ferry.py": (
        "from ferry import may_board\n\n\n"
        "def test_boarding():\n    assert may_board(3, 900)\n    assert not may_board(13, 900)\n"
        "    assert not may_board(3, 7501)\n    assert may_board(12, 7500)\n"
    ),
}


@pytest.fixture
def search(make_provider, tmp_path):
    """Repairs a project of given files; its result, and the testbeds that were opened."""
    provider, spec = make_provider("bubblewrap")

    def run(files, attempts=600):
        root = tmp_path / "project"
        root.mkdir(exist_ok=True)
        for name, text in files.items():
            (root / name).write_text(text)
        return repair(
            RepairRequest(
                strategy="search",
                budget=Budget(attempts=attempts, seconds=100.0),
                repeats=1,
                search=SearchOptions(alternatives=False),
            ),
            sources=files,
            testbeds=SandboxTestbeds(
                provider=provider, spec=spec, snapshot=take(root), command=PytestCommand()
            ),
            progress=FakeProgress(),
            clock=time.monotonic,
        )

    return run


@pytest.mark.slow
def test_two_faults_are_repaired_together(search):
    result = search(ONE_FUNCTION)
    assert result.outcome is Outcome.PATCHED, result.reason
    assert result.explanation.count("; ") == 1
    assert set(apply(result.patch, ONE_FUNCTION)) == {"shelf.py"}
    assert result.attempts <= 400


@pytest.mark.slow
def test_two_faults_that_hide_each_other_are_found_in_the_end(search):
    result = search(ONE_TRUTH, attempts=2000)
    assert result.outcome is Outcome.PATCHED, result.reason
    assert "length <= 12 and weight <= 7500" in result.diff
