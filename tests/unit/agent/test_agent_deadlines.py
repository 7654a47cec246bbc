"""Phases and their deadlines: no run gets more than its phase has left; and where the seconds went."""

import dataclasses

import pytest
from agent_support import HALF, RIGHT, TOTAL, attempt, baseline, failed_result, report, result, runtime
from every_case import every_case
from fakes.testbed import FakeTestbed, FakeTestbeds, ScriptedTestbed
from hypothesis import given
from hypothesis import strategies as st

from bot.agent.nodes.evaluate import evaluate
from bot.agent.nodes.rehearse import rehearse
from bot.agent.nodes.validate import validate
from bot.agent.state import RepairState, phase_of
from bot.agent.timing.bounded import LEAST_S, PROBE_S, Bounded
from bot.agent.timing.deadlines import GRACE_S, MARGIN, SANDBOX_S, Phase, end_of, proof_s, start_s
from bot.agent.timing.profile import SLOWEST, Profile
from bot.domain import Baseline, Suspicion
from bot.request import Budget
from sandbox.probes import ProbeRequest
from sandbox.reports import TestReport, TestResult, TestStatus


def test_time_is_kept_for_the_proof_by_what_the_tests_take():
    before = Baseline(
        failing=(failed_result(TOTAL, seconds=2.0),), passing=(result(HALF, seconds=7.0),), seconds=10.0
    )
    assert start_s(before) == 1.0  # each run of the failing tests imports and collects anew
    assert proof_s(before, repeats=3) == SANDBOX_S + MARGIN * ((3 + 1) * (1.0 + 2.0) + 10.0)
    assert proof_s(before, repeats=3, suite=False) == proof_s(before, repeats=3) - MARGIN * 10.0
    assert end_of(Phase.SEARCH, 300.0, before, repeats=3) == 300.0 - proof_s(before, repeats=3)
    assert end_of(Phase.SEARCH, 20.0, before, repeats=3) == 15.0  # a quarter at most
    # A test that hangs takes no time once it is repaired.
    hangs = Baseline(failing=(failed_result(TOTAL, TestStatus.TIMEOUT, seconds=9.0),), seconds=10.0)
    assert proof_s(hangs, repeats=3) == SANDBOX_S + MARGIN * (4 * 1.0 + 1.0)


@every_case(
    ("state", "phase"),
    [
        (RepairState(), Phase.REPRODUCE),
        (RepairState(baseline=Baseline(runs=3)), Phase.LOCALISE),
        (
            RepairState(baseline=Baseline(runs=3), suspicions=(Suspicion(path="a.py", line=1, score=1.0),)),
            Phase.SEARCH,
        ),
        (RepairState(baseline=Baseline(runs=3), attempts=4), Phase.SEARCH),
        (RepairState(baseline=Baseline(runs=3), attempts=4, chosen=attempt()), Phase.VALIDATE),
    ],
)
def test_the_reason_names_the_phase(state, phase):
    run = runtime(budget=Budget(seconds=60))
    assert not run.context.trial_reason(state)
    run.context.stopwatch.earlier = 60.0
    assert phase_of(state) is phase
    assert run.context.trial_reason(state) == f"the time budget of 60 s ended while {phase}"


def test_each_node_gives_its_runs_what_is_left_of_its_phase():
    before = baseline()
    made = runtime(budget=Budget(seconds=100))
    evaluate(RepairState(baseline=before, candidates=(RIGHT,)), made)
    search = end_of(Phase.SEARCH, 100.0, before, repeats=3)
    assert {run.seconds for run in made.context.testbed.runs} == {search}

    beds = FakeTestbeds.of({})
    validate(
        RepairState(baseline=before, plausible=(attempt(),), chosen=attempt()),
        runtime(budget=Budget(seconds=100), testbeds=beds),
    )
    assert {run.seconds for run in beds.opened[0].runs} == {105.0}


def test_a_rehearsal_that_was_cut_off_or_that_there_is_no_time_for_says_nothing():
    made = runtime(budget=Budget(seconds=10))
    made.context.stopwatch.earlier = 9.0
    assert rehearse(RepairState(baseline=baseline()), made) == {}

    def cut(_number, _run, seen):
        return dataclasses.replace(seen, results=(), complete=False, cut=True)

    beds = FakeTestbeds(lambda _number: FakeTestbed({}, fault=cut))
    update = rehearse(RepairState(baseline=baseline()), runtime(budget=Budget(seconds=100), testbeds=beds))
    assert "outcome" not in update


SECONDS = st.floats(min_value=0.0, max_value=1e4)
BUDGETS = st.floats(min_value=1.0, max_value=1e4)
STATUSES = st.sampled_from([TestStatus.FAILED, TestStatus.TIMEOUT])
FAILING = st.lists(
    st.builds(TestResult, test=st.just("t.py::test_x"), status=STATUSES, seconds=SECONDS), max_size=4
)
BASELINES = st.builds(Baseline, failing=FAILING.map(tuple), seconds=SECONDS)
NOTHING = TestReport(results=(), complete=True, exit_status=0, seconds=0.0)


@given(budget=BUDGETS, baseline=BASELINES, repeats=st.integers(1, 9))
def test_the_phases_end_in_their_order_and_none_after_the_budget_but_the_proof(budget, baseline, repeats):
    ends = [end_of(phase, budget, baseline, repeats=repeats) for phase in Phase]
    assert ends == sorted(ends)
    assert all(0 < end <= budget for end in ends[:-1])
    assert ends[-1] == budget + GRACE_S


@given(budget=BUDGETS, spent=SECONDS, asked=st.none() | SECONDS, phase=st.sampled_from(Phase))
def test_a_run_never_gets_more_than_its_phase_has_left(budget, spent, asked, phase):
    testbed = ScriptedTestbed(NOTHING)
    made = runtime(testbed=testbed, budget=Budget(seconds=budget))
    made.context.stopwatch.earlier = spent
    made.context.within(phase).testbed.run(seconds=asked)
    left = end_of(phase, budget, Baseline(), repeats=3) - spent
    (given_s,) = [run.seconds for run in testbed.runs]
    assert given_s <= max(LEAST_S, left)
    bounds = [max(LEAST_S, left), *([] if asked is None else [asked])]
    assert given_s == pytest.approx(min(bounds))


@given(left=st.floats(min_value=-10, max_value=1e4), limit=st.floats(min_value=0.1, max_value=1e6))
def test_a_probe_ends_by_the_deadline_or_is_left_out(left, limit):
    asked = []

    class Probed(ScriptedTestbed):
        def probe(self, request):
            asked.append(request.limit_s)
            return super().probe(request)

    Bounded(Probed(NOTHING), lambda: left, Phase.SEARCH, Profile()).probe(
        ProbeRequest(targets=(), versions=(), tests=(), limit_s=limit)
    )
    assert asked == ([min(limit, left)] if left >= PROBE_S else [])


def test_without_a_budget_there_is_no_deadline():
    testbed = ScriptedTestbed(NOTHING)
    context = runtime(testbed=testbed, budget=Budget(seconds=0.0)).context
    for phase in Phase:
        context.within(phase).testbed.run()
        context.bounded(testbed, phase, Baseline()).run()
    assert {run.seconds for run in testbed.runs} == {None}


def test_runs_of_one_kind_are_added_up_and_the_longest_come_first():
    profile = Profile()
    for seconds in (0.5, 0.25):
        profile.ran(Phase.SEARCH, report(result("t.py::a", seconds=0.1), result("t.py::b")), seconds)
    profile.ran(Phase.VALIDATE, report(result("t.py::b", seconds=2.0)), 3.0)
    profile.opened(Phase.VALIDATE, 0.1)
    rows = [(row.phase, row.means, row.runs, row.tests, row.seconds) for row in profile.rows()]
    assert rows == [
        (Phase.VALIDATE, "whole", 1, 1, 3.0),
        (Phase.SEARCH, "whole", 2, 4, 0.75),
        (Phase.VALIDATE, "open", 1, 0, 0.1),
    ]
    assert list(profile.slowest()) == [("t.py::b", 2.0), ("t.py::a", 0.2)]


def test_only_the_slowest_tests_are_kept():
    profile = Profile()
    profile.ran(Phase.SEARCH, report(*(result(f"t.py::n{n}", seconds=n) for n in range(1, 99))), 1.0)
    assert [seconds for _, seconds in profile.slowest()] == [98.0 - n for n in range(SLOWEST)]


def test_each_run_within_a_phase_is_noted_once():
    """Also where a phase's context is narrowed to another phase."""
    bed = ScriptedTestbed(report(), report())
    context = runtime(testbed=bed, testbeds=FakeTestbeds(lambda _number: bed)).context
    inner = context.within(Phase.SEARCH).within(Phase.VALIDATE)
    inner.testbed.run()
    with inner.testbeds.open() as opened:
        opened.run()
    assert sorted((row.phase, row.means, row.runs) for row in context.profile.rows()) == [
        (Phase.VALIDATE, "open", 1),
        (Phase.VALIDATE, "whole", 2),
    ]
