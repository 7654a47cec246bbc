"""pass@k, pass@1 by turns, what was spent: from rows whose figures can be checked by hand."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.reports.details import attempts_shown, by_attempts, by_task, details, sampled, spent, stages
from benchmarks.reports.shares import mean_interval, pass_at_k
from benchmarks.runs.runfile import Run


def cells(text, first):
    line = next(line for line in text.splitlines() if line.startswith(f"| {first} |"))
    return [cell.strip() for cell in line.strip("|").split("|")][1:]


def row(task, *, plausible, turn=1, sample=0, calls=1, tokens=100):
    return {
        "task": task,
        "sample": sample,
        "group": "one",
        "plausible": plausible,
        "correct": plausible or None,
        "first": {"attempts": turn + 4, "seconds": 1.0, "turn": turn} if plausible else None,
        "turns": 3,
        "usage": {
            "calls": calls,
            "prompt_tokens": tokens,
            "completion_tokens": 10,
            "cost": 0.01,
            "seconds": 2.0,
        },
        "first_turn": {"first_prompt_tokens": 90, "prompt_tokens": 90},
        "stages": {"patch": 3.0, "validate": 1.0},
        "judging_seconds": 1.0,
    }


def run(*rows):
    return Run(header={"benchmark": "invented"}, rows=rows)


@given(st.integers(1, 7).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_pass_at_k_is_the_share_of_draws_that_hold_a_pass(numbers):
    n, passed, k = numbers
    draws = list(combinations([True] * passed + [False] * (n - passed), k))
    assert pass_at_k(n, passed, k) == pytest.approx(sum(map(any, draws)) / len(draws))


def test_the_interval_of_a_mean():
    wide, narrow = mean_interval([0.0, 1.0] * 5), mean_interval([0.0, 1.0] * 500)
    assert wide.value == narrow.value == 0.5
    assert 0.1 <= wide.low < narrow.low < 0.5 < narrow.high < wide.high <= 0.9
    assert str(mean_interval([1.0])) == "1.000 [1.000, 1.000]"
    assert (mean_interval([]).low, mean_interval([]).high) == (0.0, 1.0)


def test_samples_become_pass_at_k():
    rows = [row(task, plausible=task == "a" and n < 1, sample=n) for task in "ab" for n in range(2)]
    text = sampled(by_task(rows))
    assert cells(text, "pass@1")[:2] == ["2", "0.250 [0.000, 0.500]"]
    assert cells(text, "pass@2")[1].startswith("0.500")


def test_pass_at_1_by_turn():
    text = by_attempts(
        run(row("a", plausible=True), row("b", plausible=True, turn=2), row("c", plausible=False))
    )
    assert [cells(text, str(turns))[0][:3] for turns in (1, 2, 3)] == ["1/3", "2/3", "2/3"]


def test_what_the_search_found_before_any_turn_is_after_0():
    assert list(attempts_shown(run(row("a", plausible=True, turn=0), row("b", plausible=False)))) == [
        0,
        1,
        2,
        3,
    ]


def test_candidates_are_counted_where_no_model_was_asked():
    found = run(row("a", plausible=True, turn=30, calls=0), row("b", plausible=False, calls=0))
    assert list(attempts_shown(found)) == [1, 10, 34]
    assert "after candidates" in by_attempts(found)


def test_what_was_spent_and_where():
    found = run(row("a", plausible=True), row("b", plausible=False, tokens=300))
    figures = cells(spent(found), "all")
    assert figures == ["1", "200", "280", "10", "10", "90", "2.0", "0.0200", "0.0200"]
    assert cells(stages(found), "patch") == ["2", "3.00", "3.00", "60%"]
    assert cells(stages(found), "(judging)")[-1] == "20%"


def test_rows_of_older_runs_have_no_details():
    old = {"task": "a", "group": "one", "plausible": False, "correct": False, "first": None}
    assert list(details(run(old))) == []
