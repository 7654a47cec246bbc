"""The search with a real sandbox: what decides among plausible patches, and programs with two faults."""

import time

import pytest
from fakes.progress import FakeProgress
from sections import sections
from snapshots import snapshot

from bot.engine import repair
from bot.patch.apply import apply
from bot.request import Budget, RepairRequest, SearchOptions
from bot.result import Basis, Outcome
from sandbox.command import PytestCommand
from sandbox.testing import SandboxTestbeds

pytestmark = [pytest.mark.bubblewrap, pytest.mark.slow]
DOCUMENTED, ONE_FUNCTION, ONE_TRUTH = (case.parts for case in sections("sources/search.txt"))


@pytest.fixture
def search(make_provider):
    """Repairs a project of given files."""
    provider, spec = make_provider("bubblewrap")

    def run(files, attempts=600, *, alternatives=False):
        request = RepairRequest(
            strategy="search",
            budget=Budget(attempts=attempts, seconds=100.0),
            repeats=1,
            search=SearchOptions(alternatives=alternatives),
        )
        beds = SandboxTestbeds(
            provider=provider, spec=spec, snapshot=snapshot(files), command=PytestCommand()
        )
        result = repair(request, sources=files, testbeds=beds, progress=FakeProgress(), clock=time.monotonic)
        assert result.outcome is Outcome.PATCHED, result.reason
        return result

    return run


def test_documented_examples_tell_the_right_patch(search):
    """No test runs them, and several patches pass the tests."""
    result = search(DOCUMENTED, alternatives=True)
    assert "+    return weight + zones * 2\n" in result.diff
    choice = result.choice
    assert (choice.alternatives, choice.basis) == (result.alternatives, Basis.EVIDENCE)
    assert min(choice.alternatives, choice.inputs, choice.behaviours - 1) > 0
    assert all(difference.call.startswith("price(") for difference in choice.differences)


def test_two_faults_are_repaired_together(search):
    """Fixing the first fault moves the failing assertion to a later line of the same test."""
    result = search(ONE_FUNCTION)
    assert result.explanation.count("; ") == 1
    assert set(apply(result.patch, ONE_FUNCTION)) == {"shelf.py"}
    assert result.attempts <= 400


def test_two_faults_that_hide_each_other_are_found_in_the_end(search):
    """Behind one truth, neither change alone shows that it is half of the repair."""
    assert "length <= 12 and weight <= 7500" in search(ONE_TRUTH, attempts=2000).diff
