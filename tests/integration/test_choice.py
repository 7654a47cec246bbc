"""Choosing among plausible patches with a real sandbox: what decides, and what the result says."""

import time

import pytest
from fakes.progress import FakeProgress
from snapshots import snapshot

from bot.engine import repair
from bot.request import RepairRequest
from bot.result import Basis, Outcome
from sandbox.command import PytestCommand
from sandbox.testing import SandboxTestbeds

PAYLOAD = '''\
def price(weight, zones):
    """What a payload costs, such as price(5, 1) == 7: two for each zone, and one for each kilogramme.

    >>> price(1, 4)
    9
    """
    return weight - zones * 2
'''
TESTS = """\
from payload import price


def test_price():
    assert price(2, 2) == 6
"""


@pytest.mark.bubblewrap
@pytest.mark.slow
def test_documented_examples_tell_the_right_patch(make_provider):
    """No test runs them, and several patches pass the tests."""
    provider, spec = make_provider("bubblewrap")
    files = {"payload.py": PAYLOAD, "test_payload.py": TESTS}
    result = repair(
        RepairRequest(strategy="search", repeats=1),
        sources=files,
        testbeds=SandboxTestbeds(
            provider=provider, spec=spec, snapshot=snapshot(files), command=PytestCommand()
        ),
        progress=FakeProgress(),
        clock=time.monotonic,
    )
    assert result.outcome is Outcome.PATCHED
    assert "+    return weight + zones * 2\n" in result.diff
    choice = result.choice
    assert (choice.alternatives, choice.basis) == (result.alternatives, Basis.EVIDENCE)
    assert min(choice.alternatives, choice.inputs, choice.behaviours - 1) > 0
    assert all(difference.call.startswith("price(") for difference in choice.differences)
