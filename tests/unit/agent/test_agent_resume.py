"""A killed run goes on where it was, and ends where an undisturbed one does."""

import dataclasses
import itertools
import math
import sqlite3

import pytest
from agent_support import FILES, PROJECTS, repaired
from fakes.progress import FakeClock, FakeProgress
from fakes.testbed import FakeTestbed, FakeTestbeds
from scripted_model import RIGHT, SAME, WRONG, Model, code

from bot.agent.checkpoint import RunStore
from bot.backends.scripted import ScriptedBackend
from bot.request import Budget
from bot.result import Outcome

# The error is far from its start in the stream: several batches are drawn before it is found.
FAR = PROJECTS["far"]
HOPELESS = {**FAR, "test_deep.py": FAR["test_deep.py"].replace("(-38, 1, 2)", "'no such thing'")}
# Two faults: what fixes the first makes the test fail later, and is built upon.
TWO_FAULTS = PROJECTS["two faults"]


class Killed(BaseException):
    """Stands for what ends a process: no handler of the loop may take it for a verdict."""


def run(files, store, **more):
    with store.open("run") as checkpointer:
        return repaired(files, **{"budget": Budget(attempts=130), **more}, checkpointer=checkpointer)


def timeless(result):
    evidence = result.evidence and dataclasses.replace(result.evidence, seconds=0.0)
    return dataclasses.replace(result, seconds=0.0, evidence=evidence)


def killing_at_attempt(number, error=Killed):
    def stop(attempts):
        if attempts == number:
            raise error

    return FakeProgress(on_tick=stop)


def killing_at_stage(name, error=Killed):
    def stop(stage):
        if stage == name:
            raise error

    return FakeProgress(on_stage=stop)


@pytest.fixture
def store(tmp_path):
    return RunStore(tmp_path / "runs")


@pytest.fixture
def undisturbed(tmp_path):
    return lambda files: run(files, RunStore(tmp_path / "undisturbed"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("files", "kills"),
    [
        *((HOPELESS, (at,)) for at in (1, 31, 33, 40, 70)),
        *((TWO_FAULTS, (at,)) for at in (30, 40, 66, 90)),
        (HOPELESS, (20, 45, 66, 80)),
    ],
    ids=lambda value: "-".join(map(str, value)) if isinstance(value, tuple) else "",
)
def test_a_search_killed_at_any_attempt_again_and_again_goes_on(store, undisturbed, files, kills):
    expected = undisturbed(files)
    assert expected.attempts > kills[-1]
    # What is built upon is built upon again.
    assert expected.outcome is not Outcome.PATCHED or "; " in expected.explanation
    for at in kills:
        with pytest.raises(Killed):
            run(files, store, resume=at > kills[0], progress=killing_at_attempt(at))
    progress, testbeds = FakeProgress(), FakeTestbeds.of(files)
    result = run(files, store, resume=True, progress=progress, testbeds=testbeds)
    assert timeless(result) == timeless(expected)
    assert not {"reproduce", "localise"} & set(progress.names)
    for asked in testbeds.opened[0].runs:
        assert asked.tests is not None
        assert bool(asked.changes) >= asked.trace


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["reproduce", "localise", "search", "minimise", "validate"])
def test_a_run_killed_at_any_stage_goes_on(store, undisturbed, stage):
    expected = undisturbed(FILES)
    assert expected.outcome is Outcome.PATCHED
    with pytest.raises(Killed):
        run(FILES, store, progress=killing_at_stage(stage))
    assert store.exists("run")
    progress = FakeProgress()
    result = run(FILES, store, resume=True, progress=progress)
    assert timeless(result) == timeless(expected)
    assert progress.names[:2] == ["sandbox", stage]
    assert "reproduce" not in progress.names[2:]


def test_a_run_killed_before_its_first_node_left_nothing(store):
    with pytest.raises(Killed):
        run(FILES, store, progress=killing_at_stage("sandbox"))
    assert not store.exists("run")


@pytest.mark.slow
def test_a_run_that_had_ended_gives_its_answer_again(store):
    expected = run(FILES, store)
    testbeds = FakeTestbeds.of(FILES)
    assert timeless(run(FILES, store, resume=True, testbeds=testbeds)) == timeless(expected)
    assert testbeds.opened[0].runs == []


@pytest.mark.slow
def test_no_candidate_is_skipped_and_none_but_the_batch_in_hand_is_run_twice(store):
    def changes_of(testbed):
        seen = [asked.changes for asked in testbed.runs if asked.changes]
        return list(dict.fromkeys(tuple(change.items()) for change in seen))

    whole = FakeTestbeds.of(HOPELESS)
    with_all = RunStore(store._directory / "other")
    run(HOPELESS, with_all, testbeds=whole)
    before, after = FakeTestbeds.of(HOPELESS), FakeTestbeds.of(HOPELESS)
    with pytest.raises(Killed):
        run(HOPELESS, store, testbeds=before, progress=killing_at_attempt(50))
    run(HOPELESS, store, testbeds=after, resume=True)
    first, second, all_of_it = (changes_of(beds.opened[0]) for beds in (before, after, whole))
    assert list(dict.fromkeys([*first, *second])) == all_of_it
    assert 0 < len(set(first) & set(second)) <= 32


@pytest.mark.slow
def test_an_interrupt_of_the_keyboard_is_no_different(store, undisturbed):
    def interrupt(number, _run):
        if number == 30:
            raise KeyboardInterrupt

    testbeds = FakeTestbeds(lambda _n: FakeTestbed(HOPELESS, before_run=interrupt))
    with pytest.raises(KeyboardInterrupt):
        run(HOPELESS, store, testbeds=testbeds)
    assert testbeds.closed == len(testbeds.opened) == 1
    assert timeless(run(HOPELESS, store, resume=True)) == timeless(undisturbed(HOPELESS))


def test_a_disk_that_fills_up_ends_the_run_soon(store):
    attempts = []

    def limit(checkpointer):
        pages = checkpointer.conn.execute("PRAGMA page_count").fetchone()[0]
        checkpointer.conn.execute(f"PRAGMA max_page_count = {pages + 1}")

    with store.open("run") as checkpointer:
        progress = FakeProgress(
            on_stage=lambda name: name == "localise" and limit(checkpointer), on_tick=attempts.append
        )
        with pytest.raises(sqlite3.OperationalError, match="disk is full"):
            repaired(HOPELESS, budget=Budget(attempts=2_000), checkpointer=checkpointer, progress=progress)
    # What is saved beside the next steps fails a few of them later: each is a batch of up to 32.
    assert len(attempts) < 1_000


def test_time_spent_before_counts(store):
    clocks = itertools.count()

    def budgeted(**more):
        clock = FakeClock(step=1.0, now=1000.0 * next(clocks))
        return run(HOPELESS, store, budget=Budget(seconds=300.0, attempts=0), clock=clock, **more)

    with pytest.raises(Killed):
        budgeted(progress=killing_at_attempt(40))
    result = budgeted(resume=True)
    assert result.outcome is Outcome.BUDGET_EXHAUSTED
    assert 300 <= result.seconds < 320
    assert 40 < result.attempts < 100


def test_what_a_model_may_still_take_knows_of_the_seconds_before_a_kill(store):
    clocks, said = itertools.count(1), []

    def budgeted(seconds, **more):
        def backends(remaining):
            said.append(remaining())
            return [ScriptedBackend(["no idea"] * 9)]

        clock = FakeClock(step=1.0, now=1000.0 * next(clocks))
        asked = {"strategy": "single", "budget": Budget(seconds=seconds, attempts=5), "backends": backends}
        return run(FILES, store, **asked, clock=clock, **more)

    with pytest.raises(Killed):
        budgeted(300, progress=killing_at_stage("localise"))
    budgeted(300, resume=True)
    first, second = said
    assert 297 <= first < 300
    assert 250 < second < first - 2
    budgeted(0)
    assert said[2] == math.inf


REPLIES = {
    "single": [RIGHT],
    "react": [WRONG, "plus", code("a / b"), "plus", "return a + b"],
    "reflect": [SAME, WRONG, RIGHT],
    "tools": [WRONG, code("a / b"), RIGHT],
}
KILLS = [(name, at) for name, replies in REPLIES.items() for at in range(len(replies) + 2)]


@pytest.mark.parametrize(
    ("strategy", "at"),
    [pytest.param(*kill, marks=[] if kill == ("react", 3) else pytest.mark.slow) for kill in KILLS],
)
def test_a_model_is_not_asked_again_what_it_answered_before_a_kill(store, strategy, at):
    replies, calls = REPLIES[strategy], itertools.count()

    def stage(name):
        if name not in {"sandbox", "reproduce", "localise"} and next(calls) == at:
            raise Killed

    def go(model, **more):
        asked = {"strategy": strategy, "budget": Budget(attempts=5), "backends": lambda _remaining: [model]}
        return run(FILES, store, **asked, **more)

    first = Model(replies)
    with pytest.raises(Killed):
        go(first, progress=FakeProgress(on_stage=stage))
    rest = Model(replies[len(first.requests) :])
    result = go(rest, resume=True)
    assert result.outcome is Outcome.PATCHED
    assert result.usage.calls == len(replies)
    assert len(first.requests) + len(rest.requests) == len(replies)
