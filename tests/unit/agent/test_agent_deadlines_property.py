"""No run is given more time than its phase has left, whatever the budget and whatever was spent."""

import pytest
from agent_support import runtime
from fakes.testbed import ScriptedTestbed
from hypothesis import given
from hypothesis import strategies as st

from bot.agent.timing.bounded import LEAST_S, PROBE_S, Bounded
from bot.agent.timing.deadlines import GRACE_S, Phase, end_of
from bot.agent.timing.profile import Profile
from bot.domain import Baseline
from bot.request import Budget
from sandbox.probes import ProbeRequest
from sandbox.reports import TestReport, TestResult, TestStatus

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
