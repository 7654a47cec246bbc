"""The patch that looks best is proved while others are looked for; it counts where it is good and chosen."""

from dataclasses import replace
from threading import Event

import pytest
from agent_support import ALTERNATIVE, FILES, RIGHT, TOTAL, attempt, repaired, runtime, state
from every_case import every_case
from fakes.testbed import FakeTestbed, FakeTestbeds

from bot.agent.nodes.validate import validate
from bot.agent.proof.beside import MAX_EARLY
from bot.agent.proof.proving import Proof, Proved, begin_early, proved
from bot.agent.trial.workers import WorkerOptions
from bot.domain import Baseline, Verdict
from bot.request import SearchOptions
from bot.result import Outcome
from sandbox.errors import SandboxError

CHOSEN = state(plausible=(attempt(),), chosen=attempt())


def two_workers():
    """A run with two workers; its testbeds are those of proofs."""
    return runtime(workers=2, testbeds=FakeTestbeds.of(FILES), repeats=3)


@pytest.fixture
def made():
    return two_workers()


def opened(run):
    return len(run.context.testbeds.opened)


def test_the_proof_of_the_patch_that_is_chosen_is_not_made_again(made):
    begin_early(attempt(), CHOSEN.baseline, made.context)
    update = validate(CHOSEN, made)
    assert update["outcome"] is Outcome.PATCHED
    assert update["evidence"].fail_to_pass == (TOTAL,)
    assert update["evidence"].controls == (TOTAL,)
    assert opened(made) == 1


def test_of_another_patch_it_says_nothing(made):
    begin_early(attempt(ALTERNATIVE), CHOSEN.baseline, made.context)
    assert validate(CHOSEN, made)["outcome"] is Outcome.PATCHED
    made.context.early.__exit__(None, None, None)  # its thread opens its own testbed, sooner or later
    assert opened(made) == 2


def test_of_other_tests_it_says_nothing(made):
    begin_early(attempt(), CHOSEN.baseline, made.context)
    assert made.context.early.of((RIGHT.patch, Baseline())) is None
    assert validate(CHOSEN, made)["outcome"] is Outcome.PATCHED


def broken(_through):
    raise SandboxError("gone")


@every_case(
    "answer",
    [
        lambda _: Proved(proof=Proof(objection="it was slow"), selection=None, seconds=1.0),
        lambda _: Proved(proof=Proof(unsteady=("one",)), selection=None, seconds=1.0),
        lambda _: Proved(proof=Proof(flaky=frozenset({TOTAL})), selection=None, seconds=1.0),
        broken,
    ],
)
def test_one_that_is_not_good_is_made_again(answer):
    made = two_workers()
    made.context.early.begin_for((RIGHT.patch, CHOSEN.baseline), (0, 0.0), answer)
    assert validate(CHOSEN, made)["outcome"] is Outcome.PATCHED
    assert opened(made) == 1


def test_a_patch_that_is_chosen_again_is_proved_again(made):
    begin_early(attempt(), CHOSEN.baseline, made.context)
    for _again in range(2):
        validate(CHOSEN, made)
    assert opened(made) == 2


@every_case("more", [{"workers": 1}, {"workers": 2, "search": SearchOptions(alternatives=False)}])
def test_without_a_second_worker_or_alternatives_there_is_none(more):
    run = runtime(**more)
    begin_early(attempt(), CHOSEN.baseline, run.context)
    assert not run.context.early.begun


def test_where_ports_and_files_are_shared_there_is_none():
    testbeds = FakeTestbeds(lambda _number: FakeTestbed(FILES), isolated=False)
    run = runtime(workers=2, testbeds=testbeds)
    begin_early(attempt(), CHOSEN.baseline, run.context)
    assert not run.context.early.begun


def test_it_does_not_begin_beside_a_rehearsal(made):
    go_on = Event()
    made.context.rehearsal.begin(lambda: {"waited": go_on.wait(30)})
    begin_early(attempt(), CHOSEN.baseline, made.context)
    assert not made.context.early.begun
    go_on.set()
    made.context.rehearsal.result()
    begin_early(attempt(), CHOSEN.baseline, made.context)
    assert made.context.early.begun


def held_up(more=()):
    """A run whose first proof waits in its first run, and what lets it go on; then ``more`` is proved."""
    first, go_on = Event(), Event()

    def wait(_number, _asked):
        first.set()
        assert go_on.wait(30)

    beds = [FakeTestbed(FILES, before_run=wait), *(FakeTestbed(FILES) for _ in more)]
    queue = iter(beds)
    made = runtime(workers=2, testbeds=FakeTestbeds(lambda _number: next(queue)), repeats=3)
    begin_early(attempt(), CHOSEN.baseline, made.context)
    assert first.wait(30)
    return made, beds, go_on


def test_when_another_patch_is_chosen_nothing_more_is_run_for_it():
    made, (bed,), go_on = held_up()
    assert made.context.early.of((ALTERNATIVE.patch, CHOSEN.baseline)) is None
    go_on.set()
    made.context.early.__exit__(None, None, None)
    assert len(bed.runs) == 1


def better(candidate, score=1e9):
    return replace(attempt(candidate), candidate=replace(candidate, score=score))


def test_a_patch_that_looks_better_takes_over():
    made, (first, second), go_on = held_up(more=(ALTERNATIVE,))
    begin_early(better(ALTERNATIVE), CHOSEN.baseline, made.context)
    go_on.set()
    assert made.context.early.of((ALTERNATIVE.patch, CHOSEN.baseline)).proof.is_good
    made.context.early.__exit__(None, None, None)
    assert len(first.runs) == 1
    assert not first.runs[0].needed(), "what it was at is given up"
    assert len(second.runs) > 3


def test_one_that_looks_worse_does_not(made):
    begin_early(attempt(), CHOSEN.baseline, made.context)
    begin_early(better(ALTERNATIVE, score=1e-6), CHOSEN.baseline, made.context)
    assert made.context.early.begun == 1


def test_only_a_few_are_begun(made):
    for number in range(9):
        begin_early(better(ALTERNATIVE, score=10.0 ** (number + 3)), CHOSEN.baseline, made.context)
    assert made.context.early.begun == MAX_EARLY


def test_one_that_was_ready_before_counts(made):
    begin_early(attempt(), CHOSEN.baseline, made.context)
    made.context.early._proofs[0].result()
    begin_early(better(ALTERNATIVE), CHOSEN.baseline, made.context)
    assert made.context.early.of((RIGHT.patch, CHOSEN.baseline)).proof.is_good


def test_what_does_not_pass_is_not_proved(made):
    begin_early(replace(attempt(), verdict=Verdict.PARTIAL), CHOSEN.baseline, made.context)
    assert not made.context.early.begun


def test_a_whole_repair_by_two_workers_leaves_nothing_open():
    testbeds = FakeTestbeds(lambda _number: FakeTestbed(FILES))
    found = repaired(testbeds=testbeds, workers=WorkerOptions(count=2))
    assert found.outcome is Outcome.PATCHED
    assert found.evidence.controls == (TOTAL,)
    assert testbeds.closed == len(testbeds.opened)


def test_the_early_proof_is_made_as_every_other(made):
    own = proved(RIGHT.patch, CHOSEN.baseline, made.context)
    begin_early(attempt(), CHOSEN.baseline, made.context)
    assert made.context.early.of((RIGHT.patch, CHOSEN.baseline)).proof == own.proof
