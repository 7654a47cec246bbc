"""Choosing among plausible patches with a real sandbox: what decides, and what the result says."""

import itertools
import time

import pytest
from fakes.progress import FakeProgress
from langgraph.runtime import Runtime
from snapshots import snapshot

from bot.agent.nodes.select import select
from bot.agent.state import RepairContext, RepairState, Stopwatch
from bot.agent.workers import Workers
from bot.domain import (
    Attempt,
    Baseline,
    Candidate,
    Patch,
    SpanEdit,
    Verdict,
)
from bot.engine import repair
from bot.patch.policy.gate import Policy
from bot.request import RepairRequest
from bot.result import Basis, Outcome
from sandbox.command import PytestCommand
from sandbox.testing import SandboxTestbeds
from sandbox.times import TestTimes

pytestmark = pytest.mark.bubblewrap

PAYLOAD = '''\
def price(weight, zones):
    """What a payload costs, such as price(5, 1) == 7: two for each zone, and one for each kilogramme.

    >>> price(1, 4)
    9
    """
    return weight - zones * 2
'''
PAYLOAD_TESTS = """\
from payload import price


def test_price():
    assert price(2, 2) == 6
"""
QUEUE = """\
def minutes(people, counters):
    return people - counters
"""
QUEUE_TESTS = """\
from waiting import minutes


def test_minutes():
    assert minutes(2, 2) == 4
"""
MEAN = """\
def mean(values):
    total = 0
    for value in values:
        total -= value
    return total // len(values)
"""
MEAN_TESTS = """\
from means import mean


def test_mean():
    assert mean([4, 2]) == 3
    assert mean([6, 6, 6]) == 6
"""


@pytest.fixture
def testbeds(make_provider):
    provider, spec = make_provider("bubblewrap")

    def make(files):
        return SandboxTestbeds(
            provider=provider,
            spec=spec,
            snapshot=snapshot(files),
            command=PytestCommand(),
            times=TestTimes(test_s=5, collect_s=30, suite_s=60),
        )

    return make


def alternative(source, path, old, new, score=0.5):
    start = source.index(old)
    edit = SpanEdit(path=path, start=start, end=start + len(old), replacement=new)
    candidate = Candidate(patch=Patch(edits=(edit,)), origin="x", explanation=f"{old} to {new}", score=score)
    return Attempt(candidate=candidate, verdict=Verdict.PLAUSIBLE)


def chosen(testbeds, path, source, tests, changes):
    """What ``select`` chooses among ``changes`` (old, new, score), in two orders of these."""
    files = {path: source, f"test_{path}": tests}
    factory = testbeds(files)
    progress = FakeProgress()
    found = []
    with factory.open() as testbed, Workers(testbed, factory, 1, progress) as workers:
        seen = testbed.run()
        context = RepairContext(
            request=RepairRequest(strategy="search"),
            sources=files,
            testbed=testbed,
            testbeds=factory,
            workers=workers,
            progress=progress,
            stopwatch=Stopwatch(clock=time.monotonic),
            policy=Policy(),
        )
        baseline = Baseline(failing=seen.failing, passing=seen.passing, runs=1)
        for order in itertools.islice(itertools.permutations(changes), 2):
            plausible = tuple(alternative(source, path, *change) for change in order)
            state = RepairState(baseline=baseline, plausible=plausible)
            found.append(select(state, Runtime(context=context)))
    first, second = found
    assert first["chosen"].candidate == second["chosen"].candidate
    return first["chosen"].candidate.explanation, first["choice"]


def test_documented_examples_tell_the_right_patch(testbeds):
    """Neither of them is run by the tests, and the wrong patches are likelier or as small."""
    changes = [
        ("weight - zones * 2", "weight + zones * 2", 0.2),
        ("weight - zones * 2", "zones + weight * 2", 0.6),
        ("zones * 2", "zones * -2 + 0 * weight", 0.1),
        ("weight - zones * 2", "weight * zones + 2", 0.7),
    ]
    explanation, choice = chosen(testbeds, "payload.py", PAYLOAD, PAYLOAD_TESTS, changes)
    assert explanation == "weight - zones * 2 to weight + zones * 2"
    assert (choice.alternatives, choice.behaviours, choice.basis) == (3, 3, Basis.EVIDENCE)
    assert not choice.ambiguous
    calls = {difference.call for difference in choice.differences}
    assert calls
    assert all(call.startswith("price(") for call in calls)


def test_what_nothing_tells_apart_is_said_to_be_open(testbeds):
    changes = [
        ("people - counters", "people + counters", 0.5),
        ("people - counters", "people * counters", 0.45),
    ]
    _, choice = chosen(testbeds, "waiting.py", QUEUE, QUEUE_TESTS, changes)
    assert (choice.alternatives, choice.behaviours, choice.basis) == (1, 2, Basis.LOOKS)
    assert choice.ambiguous
    (difference,) = choice.differences
    assert difference.call.startswith("minutes(")
    assert {difference.chosen, difference.other} & {str(people + 2) for people in range(9)}


def test_patches_that_behave_alike_are_said_to(testbeds):
    changes = [
        ("people - counters", "people + counters", 0.5),
        ("people - counters", "counters + people", 0.4),
    ]
    explanation, choice = chosen(testbeds, "waiting.py", QUEUE, QUEUE_TESTS, changes)
    assert explanation.endswith("people + counters")
    assert (choice.basis, choice.behaviours, choice.differences) == (Basis.ALIKE, 1, ())
    assert "behaves the same on all" in choice.reason


@pytest.mark.slow
def test_a_patch_that_fails_near_the_tests_gives_way(testbeds):
    """A crash, a hang, an end of the process, and another type, each only where no test looks."""
    right = ("-=", "+=", 0.1)
    wrong = [
        ("total -= value", "total += {4: 4, 2: 2, 6: 6}[value]", 0.9),
        ("total -= value", "total += value\n        while value not in (2, 4, 6): pass", 0.9),
        ("total -= value", "total += value\n        value in (2, 4, 6) or exit()", 0.9),
        (
            "total -= value\n    return total // len(values)",
            "total += value\n    return total / len(values)",
            0.9,
        ),
    ]
    explanation, choice = chosen(testbeds, "means.py", MEAN, MEAN_TESTS, [right, *wrong])
    assert explanation == "-= to +="
    assert choice.basis is Basis.EVIDENCE
    assert {difference.other for difference in choice.differences} & {
        "raises KeyError",
        "does not end in time",
        "raises SystemExit",
    }


@pytest.mark.slow
def test_a_repair_tells_of_its_choice(testbeds):
    files = {"waiting.py": QUEUE, "test_waiting.py": QUEUE_TESTS}
    result = repair(
        RepairRequest(strategy="search", repeats=1),
        sources=files,
        testbeds=testbeds(files),
        progress=FakeProgress(),
        clock=time.monotonic,
    )
    assert result.outcome is Outcome.PATCHED
    assert result.choice is not None
    assert result.choice.alternatives == result.alternatives > 0
    assert result.choice.inputs > 1
    assert result.choice.behaviours > 1
