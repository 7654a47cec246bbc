"""Phases and their deadlines: what is kept for the proof, and what is said when the time is over."""

import dataclasses

from agent_support import HALF, RIGHT, TOTAL, attempt, baseline, failed_result, result, runtime
from every_case import every_case
from fakes.testbed import FakeTestbed, FakeTestbeds

from bot.agent.nodes.evaluate import evaluate
from bot.agent.nodes.rehearse import rehearse
from bot.agent.nodes.validate import validate
from bot.agent.state import RepairState, phase_of
from bot.agent.timing.deadlines import MARGIN, SANDBOX_S, Phase, end_of, proof_s, start_s
from bot.domain import Baseline, Suspicion
from bot.request import Budget
from sandbox.reports import TestStatus


def test_time_is_kept_for_the_proof_by_what_the_tests_take():
    before = Baseline(
        failing=(failed_result(TOTAL, seconds=2.0),), passing=(result(HALF, seconds=7.0),), seconds=10.0
    )
    assert start_s(before) == 1.0  # each run of the failing tests imports and collects anew
    assert proof_s(before, repeats=3) == SANDBOX_S + MARGIN * ((3 + 1) * (1.0 + 2.0) + 10.0)
    assert proof_s(before, repeats=3, suite=False) == proof_s(before, repeats=3) - MARGIN * 10.0
    assert end_of(Phase.SEARCH, 300.0, before, repeats=3) == 300.0 - proof_s(before, repeats=3)
    assert end_of(Phase.SEARCH, 20.0, before, repeats=3) == 15.0  # a quarter at most


def test_a_test_that_hangs_takes_no_time_once_it_is_repaired():
    before = Baseline(failing=(failed_result(TOTAL, TestStatus.TIMEOUT, seconds=9.0),), seconds=10.0)
    assert proof_s(before, repeats=3) == SANDBOX_S + MARGIN * (4 * 1.0 + 1.0)


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
    run.context.stopwatch.earlier = 61.0
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


def test_a_rehearsal_that_there_is_no_time_for_says_nothing():
    made = runtime(budget=Budget(seconds=10))
    made.context.stopwatch.earlier = 9.0
    assert rehearse(RepairState(baseline=baseline()), made) == {}


def test_a_rehearsal_that_was_cut_off_is_no_proof_that_nothing_can_be_proved():
    def cut(_number, _run, seen):
        return dataclasses.replace(seen, results=(), complete=False, cut=True)

    beds = FakeTestbeds(lambda _number: FakeTestbed({}, fault=cut))
    update = rehearse(RepairState(baseline=baseline()), runtime(budget=Budget(seconds=100), testbeds=beds))
    assert "outcome" not in update
