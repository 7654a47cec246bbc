"""Which attempts are built upon: progress, distinguished by behaviour, traced where they fail now."""

import dataclasses
from collections import Counter

from agent_support import FILES, PROJECTS, TOTAL, attempt, baseline, runtime, swap
from fakes.testbed import FakeTestbed

from bot.agent.state import RepairState
from bot.agent.trial.bases import MAX_BASES, MAX_WEAK, PER_BATCH, PER_BEHAVIOUR, PER_PLACE, TRACE_MIN_S, grow
from bot.agent.trial.evaluation import try_candidate, unchanged
from bot.domain import Verdict
from bot.request import SearchOptions

TWO = {**FILES, **PROJECTS["two assertions of one test"]}
PARTLY = swap("a - b", "a * b")  # passes the first assertion of test_total
FURTHER = swap("a - b", "a + b")  # and the second
AS_WELL = swap("return a - b", "return b + a", score=-1.0)
ALIKE = swap("a - b", "a + b + 0", score=-2.0)


def tried(run, *candidates):
    before = baseline(TWO)
    reference = unchanged(before, run.context)
    state = RepairState(baseline=before, reference=reference, drawn=32)
    return state, [try_candidate(p, before, run.context, reference=reference) for p in candidates]


def with_options(run, **options):
    request = dataclasses.replace(run.context.request, search=SearchOptions(**options))
    return dataclasses.replace(run.context, request=request)


def test_attempts_tell_their_progress():
    run = runtime(files=TWO)
    _, (partly, further, none) = tried(run, PARTLY, FURTHER, swap("a - b", "a - b - 0"))
    assert (partly.verdict, partly.gain) == (
        Verdict.FAILING,
        "fails later, in line 6 instead of 5 of its test",
    )
    assert further.gain == "fails later, in line 7 instead of 5 of its test"
    assert further.progress > partly.progress > 0
    assert (none.progress, none.gain) == (0.0, "")


def test_the_best_ranked_two_of_each_behaviour_in_a_place_are_built_upon():
    run = runtime(files=TWO)
    state, attempts = tried(run, ALIKE, FURTHER, AS_WELL, PARTLY)
    grown = grow(state, attempts, run.context)
    assert [base.attempt.candidate for base in grown["bases"]] == [FURTHER, AS_WELL, PARTLY]
    assert all(base.known_at == 32 for base in grown["bases"])
    assert grown["ruled_out"].alike == 1
    again = grow(dataclasses.replace(state, **grown), attempts, run.context)
    assert again["bases"] == grown["bases"]
    unpruned = grow(state, attempts[:2], with_options(run, pruning=False))
    assert (len(unpruned["bases"]), unpruned["ruled_out"].alike) == (2, 0)


def test_of_one_behaviour_some_are_built_upon_wherever_they_are():
    run = runtime(files=TWO)
    state, (found,) = tried(run, FURTHER)
    places = [swap(text, text.replace(" ", "  ")) for text in ("def total", "def half", "/ 2", "- b")]
    many = [dataclasses.replace(found, candidate=place) for place in places for _ in range(3)]
    for start in range(0, len(many), 3):
        state = dataclasses.replace(state, **grow(state, many[start : start + 3], run.context))
    assert len(state.bases) == PER_BEHAVIOUR
    by_place = Counter(base.attempt.candidate.explanation for base in state.bases)
    assert max(by_place.values()) <= PER_PLACE


def test_a_base_knows_where_its_test_fails_now():
    testbed = FakeTestbed(TWO)
    run = runtime(files=TWO, testbed=testbed)
    state, attempts = tried(run, FURTHER)
    (base,) = grow(state, attempts, run.context)["bases"]
    assert testbed.runs[-1].trace
    assert [result.test for result in base.failing] == [TOTAL]
    # The fake cuts no steps: the lines of both functions, by what the test executed.
    assert {suspicion.line for suspicion in base.suspicions} == {2, 6}


def test_nothing_is_built_upon_when_it_is_left_out_or_a_patch_is_there():
    run = runtime(files=TWO)
    state, attempts = tried(run, FURTHER)
    assert grow(state, attempts, with_options(run, progress=False)) == {}
    assert grow(state, attempts, with_options(run, order=1)) == {}
    assert grow(dataclasses.replace(state, plausible=(attempt(),)), attempts, run.context) == {}
    assert grow(state, attempts, runtime(files=TWO, strategy="react").context) == {}
    _, pairs = tried(run, dataclasses.replace(FURTHER, order=2))
    assert grow(state, pairs, run.context)["bases"] == ()


def test_bases_are_few():
    run = runtime(files=TWO)
    state, (found,) = tried(run, FURTHER)
    many = [
        dataclasses.replace(found, endings=(dataclasses.replace(found.endings[0], message=str(n)),))
        for n in range(99)
    ]
    weak = [dataclasses.replace(attempt, progress=0.1) for attempt in many]
    assert len(grow(state, many, run.context)["bases"]) == PER_BATCH
    for attempts, most in ((many, MAX_BASES), (weak, MAX_WEAK)):
        growing = state
        for start in range(0, 99, PER_BATCH):
            growing = dataclasses.replace(
                growing, **grow(growing, attempts[start : start + PER_BATCH], run.context)
            )
        assert len(growing.bases) == most


def test_several_failing_tests_decide_where_they_are_cheap():
    files = {
        **FILES,
        "test_shop.py": FILES["test_shop.py"] + "\n\ndef test_more():\n    assert half(8) == 'never'\n",
    }
    run = runtime(files=files)
    before = baseline(files)
    reference = unchanged(before, run.context)
    assert [result.test.rpartition("_")[2] for result in reference] == ["total", "more"]
    found = try_candidate(
        swap("a / 2", "'never'", text=files["shop.py"]), before, run.context, reference=reference
    )
    # It repairs the second test only; but it breaks another, so that it is no progress.
    assert [result.status.value for result in found.endings] == ["failed", "passed"]
    assert (found.verdict, found.progress) == (Verdict.FAILING, 0.0)


def test_traced_runs_take_no_more_than_a_share_of_the_time():
    run = runtime(files=TWO)
    state, (found,) = tried(run, FURTHER)
    run.context.pace.traced_s = TRACE_MIN_S + 0.1
    assert grow(state, [found], run.context)["bases"] == ()
    run.context.stopwatch.earlier = 10.0
    assert len(grow(state, [found], run.context)["bases"]) == 1


def test_how_slow_tests_end_is_known_from_the_baseline():
    testbed = FakeTestbed(TWO)
    before = baseline(TWO)
    slow = dataclasses.replace(
        before, failing=tuple(dataclasses.replace(r, seconds=3.0) for r in before.failing)
    )
    run = runtime(files=TWO, testbed=testbed)
    assert unchanged(slow, run.context) == unchanged(before, run.context)
    assert len(testbed.runs) == 1
