"""The testbed of an early proof, opened beside a long first run: used once, and closed whatever comes."""

from functools import partial

import pytest
from agent_support import FILES, RIGHT, TOTAL, attempt, runtime, state
from fakes.testbed import FakeTestbed, FakeTestbeds

from bot.agent.nodes.validate import validate
from bot.agent.policy_check import judged, read_ahead
from bot.agent.proof import ahead
from bot.agent.proof.proving import begin_early, prepare
from bot.agent.proof.still_failing import unchanged
from bot.domain import Patch, SpanEdit
from bot.result import Outcome
from sandbox.errors import SandboxUnavailable

CHOSEN = state(plausible=(attempt(),), chosen=attempt())
FAILING = CHOSEN.baseline.failing


@pytest.fixture
def long_run(monkeypatch):
    """Every first run is a long one."""
    monkeypatch.setattr(ahead, "AFTER_S", 0.0)


def made(testbeds=None, workers=2):
    return runtime(workers=workers, testbeds=testbeds or FakeTestbeds.of(FILES), repeats=3)


def prepared(run):
    prepare(run.context)
    run.context.ahead._made.result()
    run.context.ahead.warm_up(partial(unchanged, failing=FAILING))


def test_after_a_short_first_run_nothing_is_opened():
    run = made()
    prepare(run.context)
    run.context.ahead.warm_up(lambda _bed: pytest.fail("opened"))
    assert run.context.ahead.take() is None
    assert run.context.testbeds.opened == []


def test_beside_one_worker_nothing_is_opened(long_run):
    run = made(workers=1)
    prepare(run.context)
    assert run.context.ahead.take() is None


def test_the_proof_uses_what_was_opened_and_run_there(long_run):
    run = made()
    prepared(run)
    begin_early(attempt(), CHOSEN.baseline, run.context)
    update = validate(CHOSEN, run)
    assert update["outcome"] is Outcome.PATCHED
    assert update["evidence"].controls == (TOTAL,)
    (bed,) = run.context.testbeds.opened
    assert [bool(one.changes) for one in bed.runs[:4]] == [False, True, True, True]
    assert bed.runs[0].tests == (TOTAL,)


def test_it_is_given_once_and_closed_at_the_end(long_run):
    run = made()
    with run.context.ahead:
        prepared(run)
        assert run.context.ahead.take().unchanged.failing
        assert run.context.ahead.take() is None
        assert run.context.testbeds.closed == 0
    assert run.context.testbeds.closed == 1


def test_one_that_cannot_be_opened_costs_nothing(long_run):
    def fail(_number):
        raise SandboxUnavailable("no room")

    run = made(FakeTestbeds(fail))
    prepare(run.context)
    run.context.ahead.warm_up(lambda _bed: None)
    assert run.context.ahead.take() is None


def test_a_failing_test_that_passes_there_without_a_patch_is_flaky(long_run):
    repaired = {**FILES, "shop.py": FILES["shop.py"].replace("a - b", "a + b")}
    assert repaired != FILES
    beds = FakeTestbeds(lambda number: FakeTestbed(repaired if number == 1 else FILES))
    run = made(beds)
    prepared(run)
    begin_early(attempt(), CHOSEN.baseline, run.context)
    assert run.context.early.of((RIGHT.patch, CHOSEN.baseline)) is None


def test_the_policy_gives_the_same_answer_after_it_has_read_ahead():
    run, other = made(), made()
    read_ahead("shop.py", run.context)
    place = FILES["shop.py"].index("return")
    patch = Patch(edits=(SpanEdit(path="shop.py", start=place, end=place, replacement="import socket; "),))
    candidate = attempt().candidate.__class__(patch=patch, origin="", explanation="")
    assert judged(candidate, run.context) == judged(candidate, other.context)
    assert judged(candidate, run.context).refused
