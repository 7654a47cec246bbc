"""The rehearsal: what does not come back on the same code counts neither for nor against a patch."""

import dataclasses
from threading import Event

import pytest
from agent_support import (
    FILES,
    HALF,
    TOTAL,
    ZERO,
    attempt,
    failed_result,
    repaired,
    report,
    result,
    runtime,
    state,
    with_variations,
)
from every_case import every_case
from fakes.progress import FakeClock
from fakes.testbed import FakeTestbed, FakeTestbeds, ScriptedTestbed

from bot.agent.nodes.rehearse import (
    AFTER_S,
    CHANGED,
    GONE,
    SEEDED,
    begin_if_long,
    catch_up,
    compared,
    rehearse,
)
from bot.agent.proof.beside import Rehearsal
from bot.domain import Baseline
from bot.request import Budget
from bot.result import Outcome
from sandbox.errors import SandboxError
from sandbox.reports import TestStatus

BASELINE = Baseline(
    failing=(failed_result(TOTAL),), passing=(result(ZERO), result(HALF)), runs=3, seconds=1.0
)
NOON = "test_shop.py::test_at[12:00]"
SAME = report(failed_result(TOTAL), result(ZERO), result(HALF))
ALONE = report(result(ZERO))


def rehearsed(*reports, baseline=BASELINE, varied=True, **request):
    """What the node makes of ``reports``, the testbed that gave them, and its variables."""
    bed = ScriptedTestbed(*reports)
    made = runtime(testbeds=FakeTestbeds(lambda _number: bed), **request)
    asked = []
    if varied:
        made, asked = with_variations(made, lambda _: bed)
    catch_up(state(baseline=baseline, rehearsed=False), made.context)
    return made.context.rehearsal.result(), bed, asked


HANGING = failed_result(NOON, TestStatus.TIMEOUT)
SLOW = dataclasses.replace(BASELINE, failing=(failed_result(TOTAL), HANGING), seconds=40.0)


@every_case(
    ("reports", "baseline", "runs"),
    [
        ([SAME, ALONE], BASELINE, [None, (ZERO,)]),
        # One of several runs that proves is enough, and a failing one says nothing.
        ([SAME, report(failed_result(ZERO))], BASELINE, [None, (ZERO,)]),
        (
            [SAME, dataclasses.replace(ALONE, exit_status=3), report(result(HALF))],
            BASELINE,
            [None, (ZERO,), (HALF,)],
        ),
        # Without a passing test nothing is run alone, and where there is no time what fails without hanging.
        ([report(failed_result(TOTAL))], dataclasses.replace(BASELINE, passing=()), [None]),
        ([report(failed_result(TOTAL))], SLOW, [(TOTAL,)]),
    ],
)
def test_what_comes_back_as_it_was_stays_as_it_was(reports, baseline, runs):
    update, bed, asked = rehearsed(*reports, baseline=baseline, budget=Budget(seconds=100))
    assert update == {"baseline": baseline}
    assert asked == [{"PYTHONHASHSEED": "1"}]
    assert [one.tests for one in bed.runs] == runs
    assert not any(one.changes for one in bed.runs)


def with_zero(*more, **options):
    return report(failed_result(TOTAL), result(ZERO), *more, **options)


@every_case(
    ("seen", "apart"),
    [
        (with_zero(), [(HALF, GONE)]),
        (with_zero(result(NOON)), [(HALF, GONE)]),
        (with_zero(failed_result(HALF)), [(HALF, CHANGED)]),
        (with_zero(result(HALF, TestStatus.SKIPPED)), [(HALF, CHANGED)]),
        (with_zero(complete=False), []),
    ],
    ids=["gone", "another in its place", "it fails", "it is skipped", "it may not have had its turn"],
)
def test_a_passing_test_that_does_not_come_back_is_set_apart(seen, apart):
    earlier = (("test_net.py", "a test could not reach a server"),)
    found = compared(dataclasses.replace(BASELINE, apart=earlier), seen, whole=True)
    assert found.fail_to_pass == {TOTAL}
    assert found.pass_to_pass == ({ZERO} if apart else {ZERO, HALF})
    assert found.apart == (*earlier, *apart)
    assert (found.flaky, found.unsteady) == ((), ())


@every_case(
    ("more", "reason"), [((result(HALF),), GONE), ((result(HALF), result(NOON, TestStatus.SKIPPED)), CHANGED)]
)
def test_a_failing_test_that_does_not_come_back_is_set_apart(more, reason):
    before = dataclasses.replace(BASELINE, failing=(failed_result(TOTAL), failed_result(NOON)))
    found = compared(before, with_zero(*more), whole=True)
    assert [one.test for one in found.failing] == [TOTAL]
    assert found.apart == ((NOON, reason),)
    # Of a run of the failing tests alone nothing else is missing.
    assert compared(BASELINE, report(failed_result(TOTAL)), whole=False) == BASELINE


def test_a_failure_that_passes_with_another_seed_is_flaky_and_the_others_are_gone_on_with():
    before = dataclasses.replace(
        BASELINE, failing=(failed_result(TOTAL), failed_result(ZERO)), passing=(result(HALF),)
    )
    update, _, _ = rehearsed(SAME, report(result(HALF)), baseline=before)
    assert "outcome" not in update
    assert update["baseline"].fail_to_pass == {TOTAL}
    assert update["baseline"].flaky == ((ZERO, 1),)
    assert update["baseline"].unsteady == ((ZERO, SEEDED),)


@every_case(("varied", "because"), [(True, SEEDED), (False, CHANGED)])
def test_where_every_failure_passes_the_run_ends_as_flaky(varied, because):
    earlier = dataclasses.replace(BASELINE, flaky=((NOON, 2),), unsteady=((NOON, "it fails after others"),))
    all_pass = report(result(TOTAL), result(ZERO), result(HALF))
    update, _, _ = rehearsed(all_pass, ALONE, baseline=earlier, varied=varied)
    assert update["outcome"] is Outcome.FLAKY
    assert update["reason"] == f"the failure is flaky: {TOTAL}: {because}"
    assert update["baseline"].flaky == ((NOON, 2), (TOTAL, 1))


def test_where_no_failing_test_comes_back_nothing_could_be_proved():
    many = tuple(failed_result(f"test_shop.py::test_at[{hour}:00]") for hour in range(5))
    before = dataclasses.replace(BASELINE, failing=many)
    update, _, _ = rehearsed(report(result(ZERO), result(HALF)), ALONE, baseline=before)
    assert update["outcome"] is Outcome.NOT_REPRODUCED
    assert update["reason"].startswith(f"no patch could be proved: {many[0].test}: {GONE}, ")
    assert update["reason"].endswith(f"{GONE} and 2 more")


ENDS_WITH = f"a run of {ZERO} alone, which passes, ends with"


@every_case(
    ("reports", "said"),
    [
        ([report(problem="it was killed")], "in a fresh sandbox no test ran (it was killed)"),
        ([report()], "in a fresh sandbox no test ran (nothing was collected)"),
        ([SAME, dataclasses.replace(ALONE, exit_status=2)], f"{ENDS_WITH} exit status 2"),
        ([SAME, dataclasses.replace(ALONE, complete=False, problem="no report")], f"{ENDS_WITH} no report"),
        ([SAME, report()], f"{ENDS_WITH} exit status 5"),
    ],
    ids=["nothing ran", "nothing collected", "a plugin fails every run", "no report", "not found"],
)
def test_where_no_run_proves_anything_the_search_is_not_begun(reports, said):
    update, _, _ = rehearsed(*reports)
    assert update["outcome"] is Outcome.NOT_REPRODUCED
    assert update["reason"] == f"no patch could be proved: {said}"


def test_the_quickest_of_those_that_come_back_is_run_alone():
    before = dataclasses.replace(BASELINE, passing=(result(NOON), result(ZERO, seconds=2.0), result(HALF)))
    seen = report(failed_result(TOTAL), result(ZERO, seconds=2.0), result(HALF, seconds=1.0))
    _, bed, _ = rehearsed(seen, report(result(HALF)), baseline=before)
    assert bed.runs[1].tests == (HALF,)


def test_where_there_is_no_time_for_the_suite_and_every_failing_test_hangs_nothing_is_run():
    only = dataclasses.replace(SLOW, failing=(HANGING,))
    update, bed, asked = rehearsed(SAME, baseline=only, budget=Budget(seconds=100))
    assert (update, bed.runs, asked) == ({}, [], [])


def test_a_repair_counts_a_test_whose_name_has_the_time_of_day_neither_for_nor_against():
    def make(number):
        return FakeTestbed({**FILES, "test_time.py": f"def test_clock_{number}():\n    pass\n"})

    found = repaired(testbeds=FakeTestbeds(make))
    assert found.outcome is Outcome.PATCHED
    assert found.baseline.apart == (("test_time.py::test_clock_1", GONE),)
    assert "test_time.py::test_clock_1" not in found.evidence.pass_to_pass


def test_a_repair_whose_proof_fails_ends_where_no_patch_could_be_proved():
    def fault(_number, asked, seen):
        one = asked.tests is not None and len(asked.tests) == 1 and not seen.failing
        return dataclasses.replace(seen, exit_status=2) if one else seen

    testbeds = FakeTestbeds(lambda _number: FakeTestbed(FILES, fault=fault))
    found = repaired(testbeds=testbeds)
    assert found.outcome is Outcome.NOT_REPRODUCED
    assert "exit status 2" in found.reason
    assert testbeds.closed == len(testbeds.opened) == 3  # the search's, the proof's, the rehearsal's


@every_case("seconds", [0.0, AFTER_S])
def test_a_search_that_finds_a_patch_at_once_has_it_proved_and_rehearses_nothing(seconds):
    """The two testbeds are the search's and the proof's."""
    clock = FakeClock()

    def wait(_number, asked):
        clock.now += seconds if asked.changes else 0.0

    testbeds = FakeTestbeds(lambda _number: FakeTestbed(FILES, before_run=wait))
    found = repaired(testbeds=testbeds, clock=clock)
    assert (found.outcome, len(testbeds.opened)) == (Outcome.PATCHED, 2)


@every_case(("plausible", "begins"), [((), True), ((attempt(),), False)])
def test_a_search_that_has_found_a_patch_leaves_the_rehearsal_to_its_proof(plausible, begins):
    made = runtime(testbeds=FakeTestbeds(lambda _number: ScriptedTestbed(SAME, ALONE)))
    found = state(baseline=BASELINE, rehearsed=False, ready_at=-AFTER_S, plausible=plausible)
    begin_if_long(found, made.context)
    made.context.rehearsal.result()
    assert made.context.rehearsal.begun is begins


def test_a_model_is_asked_after_the_rehearsal():
    made = runtime(strategy="single")
    update = rehearse(state(baseline=BASELINE, rehearsed=False), made)
    assert update["rehearsed"]
    assert rehearse(state(baseline=BASELINE, rehearsed=False), runtime()) == {}


def caught_up(**update):
    """What a search does that has come some way when the rehearsal ends with ``update``."""
    made = runtime()
    made.context.rehearsal.begin(lambda: update)
    return catch_up(
        state(baseline=BASELINE, rehearsed=False, attempts=7, drawn=9, exhausted=True), made.context
    )


def test_a_search_begins_again_where_the_rehearsal_sets_tests_apart_and_else_goes_on():
    """Its candidates were judged by a test that counts no longer; what was tried is still counted."""
    found = dataclasses.replace(BASELINE, passing=(result(ZERO),), apart=((HALF, CHANGED),))
    update = caught_up(baseline=found)
    assert update["baseline"] == found
    assert (update["attempts"], update["drawn"], update["exhausted"]) == (7, 0, False)
    assert update["rehearsed"]
    assert caught_up(baseline=BASELINE) == {}


def test_a_search_ends_where_nothing_could_be_proved():
    update = caught_up(outcome=Outcome.NOT_REPRODUCED, reason="why")
    assert (update["outcome"], update["reason"]) == (Outcome.NOT_REPRODUCED, "why")
    assert update["baseline"] == BASELINE


def test_what_goes_wrong_in_the_rehearsal_ends_the_run():
    made = runtime()

    def fails():
        raise SandboxError("the sandbox is lost")

    made.context.rehearsal.begin(fails)
    with pytest.raises(SandboxError, match="the sandbox is lost"):
        catch_up(state(baseline=BASELINE, rehearsed=False), made.context)


def test_who_leaves_because_of_an_error_does_not_wait_and_who_ends_does():
    go_on, done = Event(), []

    def work():
        go_on.wait()
        done.append(True)
        return {}

    interrupted = Rehearsal()
    interrupted.begin(work)
    interrupted.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert not interrupted.done
    go_on.set()
    with Rehearsal() as ended:
        ended.begin(work)
        ended.begin(work)
    assert ended.done
    assert len(done) in {1, 2}  # the interrupted one may be over as well
