"""The whole loop with the embedded engine, on small projects in memory."""

import pytest
from agent_support import FILES, PATH, PROJECTS, TOTAL, failed_result, repaired, report
from every_case import every_case
from fakes.progress import FakeClock, FakeProgress
from fakes.testbed import FakeTestbed, FakeTestbeds
from langgraph.checkpoint.memory import InMemorySaver

from bot.agent.checkpoint import StateSerializer
from bot.engine import load_ahead
from bot.patch.apply import apply
from bot.request import Budget, SearchOptions
from bot.result import Outcome
from sandbox.errors import SandboxLost

BASKET, LAST, HOPELESS = PROJECTS["basket"], PROJECTS["lists"], PROJECTS["hopeless"]


def run(files, *, testbeds=None, order=2, **more):
    testbeds = testbeds or FakeTestbeds.of(files)
    result = repaired(
        files,
        **{"budget": Budget(attempts=500), "clock": FakeClock(step=0.01), **more},
        testbeds=testbeds,
        search=SearchOptions(order=order),
        checkpointer=InMemorySaver(serde=StateSerializer()),
    )
    assert testbeds.closed == len(testbeds.opened)
    return result


@every_case(("files", "path"), [(FILES, PATH), (BASKET, "basket/prices.py"), (LAST, "lists.py")])
def test_a_project_passes(files, path):
    result = run(files)
    assert (result.outcome, result.reason) == (Outcome.PATCHED, "verified")
    new = apply(result.patch, files)
    assert set(new) == {path}
    assert FakeTestbed({**files, **new}).run().exit_status == 0
    assert f"+++ b/{path}\n" in result.diff
    assert result.evidence.fail_to_pass == tuple(f.test for f in result.baseline.failing)
    assert set(result.evidence.pass_to_pass) == {r.test for r in result.baseline.passing}
    assert result.evidence.isolated
    assert result.explanation
    assert result.suspicions[0].path == path
    assert 0 < result.attempts <= 500


def test_the_stages_come_in_their_order():
    progress = FakeProgress()
    result = run(FILES, progress=progress)
    assert progress.names[:4] == ["sandbox", "reproduce", "localise", "search"]
    assert progress.names[-2:] == ["minimise", "validate"]
    assert [attempts for attempts, _ in progress.ticks] == sorted({a for a, _ in progress.ticks})
    assert progress.ticks[-1][0] <= result.attempts


def test_a_repair_knows_nothing_of_one_before_that_drew_no_candidate():
    bare = {"math_.py": "", "test_math.py": "def test_two():\n    assert 1 + 1 == 3\n"}
    load_ahead("search")
    assert run(bare).attempts == 0
    for _again in range(2):
        load_ahead("search")
        assert run(FILES).outcome is Outcome.PATCHED


def test_the_same_input_gives_the_same_answer():
    assert run(BASKET) == run(BASKET)


@pytest.mark.slow
def test_an_honest_no_patch_when_nothing_helps():
    result = run(HOPELESS, budget=Budget())
    assert result.outcome is Outcome.NO_PATCH
    assert result.reason == (
        f"none of {result.attempts} candidates makes the failing tests pass without breaking others"
    )
    assert (result.patch, result.diff, result.evidence) == (None, "", None)


def test_what_was_found_before_the_budget_ended_is_delivered():
    enough = run(FILES)
    progress = FakeProgress()
    first = next(n for n in range(1, 50) if run(FILES, budget=Budget(attempts=n)).patch)
    result = run(FILES, budget=Budget(attempts=first), progress=progress)
    assert (result.outcome, result.attempts) == (Outcome.PATCHED, first)
    assert first <= enough.attempts


def contradicting(is_meant):
    """Testbeds of which those with such a number never see a test pass.

    The second proves the first patch; as it contradicts, the third is the rehearsal's.
    """

    def make(number):
        fault = (lambda *_: report(failed_result(TOTAL))) if is_meant(number) else None
        return FakeTestbed(FILES, fault=fault)

    return FakeTestbeds(make)


def test_a_patch_that_does_not_hold_gives_way_to_an_alternative():
    plain, testbeds = run(FILES), contradicting(lambda number: number == 2)
    result = run(FILES, testbeds=testbeds)
    assert result.outcome is Outcome.PATCHED
    assert result.patch != plain.patch
    assert len(testbeds.opened) == 4
    assert testbeds.opened[-1].runs


def test_when_no_patch_holds_the_search_ends_with_the_reason():
    result = run(FILES, testbeds=contradicting(lambda number: number not in {1, 3}), budget=Budget(), order=1)
    assert result.outcome is Outcome.NO_PATCH
    assert result.reason == (
        "the patches found did not hold: in a fresh sandbox the failing tests did not pass (run 1 of 3): "
        f"{TOTAL}"
    )
    assert (result.patch, result.diff, result.evidence) == (None, "", None)


def test_a_lost_sandbox_ends_the_run_and_closes_what_is_open():
    def lost(number, _run):
        if number == 6:
            raise SandboxLost("it died")

    testbeds = FakeTestbeds(lambda _n: FakeTestbed(FILES, before_run=lost))
    with pytest.raises(SandboxLost, match="it died"):
        run(FILES, testbeds=testbeds)
    assert testbeds.closed == len(testbeds.opened) == 1


def test_the_closest_attempt_is_kept_when_nothing_repairs_all():
    result = run(PROJECTS["one test of two can be repaired"], budget=Budget(), order=1)
    assert result.outcome is Outcome.NO_PATCH
    assert result.best_partial.fixed == ("test_a.py::test_a",)


def test_an_unknown_strategy_is_refused():
    with pytest.raises(KeyError, match="guess"):
        repaired(strategy="guess")
