"""Tables, plots and statistics say what the rows say; never is correct what is only plausible."""

import math
import re
import statistics
from itertools import combinations

import pytest
from benchmark_rows import asked, cells, row, run, written
from click.testing import CliRunner
from every_case import every_case
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.__main__ import cli
from benchmarks.reports.comparison import as_markdown, compare
from benchmarks.reports.details import attempts_shown, by_attempts, details, groups, sampled, spent, stages
from benchmarks.reports.plot import drawn, pictures, steps
from benchmarks.reports.report import by_group, label, patches, side_by_side, summary
from benchmarks.reports.shares import Share, mcnemar, mean_interval, pass_at_k, quantile
from benchmarks.runs.runfile import Run
from benchmarks.runs.tasks import Key
from bot.errors import ConfigurationError

ROWS = (
    row("a", correct=True, same_text=True),
    row("b", correct=False, attempts=30, seconds=3.0, changed_lines=6),
    row("c", plausible=False),
    row("d", "two", correct=True, attempts=20, seconds=2.0),
)


def test_verdicts_and_costs_by_group():
    text = by_group(run(*ROWS))
    tasks, plausible, correct, *costs = cells(text, "one")
    assert tasks == "3"
    assert plausible.startswith("2/3 = 0.667 [")
    assert correct.startswith("1/3 = 0.333 [")
    assert costs == ["2.00", "2.80", "20", "28"]
    assert cells(text, "all")[:2] == ["4", "3/4 = 0.750 [0.301, 0.954]"]


def test_patches_are_held_against_the_known_repairs():
    found = cells(patches(run(*ROWS)), "one")
    assert [*found[:5], *found[6:]] == ["2", "1", "4", "6", "2", "1", "1"]


def test_how_often_a_confident_patch_is_right():
    high, low = {"confidence": "high"}, {"confidence": "low"}
    rows = [row("a") | high | {"correct": True}, row("b") | high | {"correct": False}, row("c") | low]
    text = summary(run(*rows, row("d", plausible=False) | high))
    assert "| high | 2 | 1/2 = 0.500" in text
    assert "| low | 1 | 0/1 = 0.000" in text
    assert "| confidence |" not in summary(run(row("a")))
    assert "| confidence |" not in summary(run(row("a") | high | {"correct": None}))


def test_what_nobody_judged_is_not_called_correct():
    text = summary(run(row("a"), row("b")))
    assert cells(text, "all")[1].startswith("2/2")
    assert cells(text, "all")[2] == "not graded"
    assert "not judged further: 2" in text


def test_a_run_without_patches():
    text = summary(run(row("a", plausible=False)))
    assert cells(text, "all")[1:] == ["0/1 = 0.000 [0.000, 0.793]"] * 2 + ["-"] * 4
    assert "Outcomes: 1 no_patch" in text


def test_the_summary_pins_the_run_and_names_who_took_more_than_the_budget():
    text = summary(run(row("a"), {**row("b"), "seconds": 61.5}, time_budget=60.0))
    assert "tasks.jsonl 0123456789ab. Code 1.0, commit unknown, digest fedcba987654." in text
    assert "the longest took 61.5 s, 1 took more than their budget" in text


def test_runs_side_by_side():
    less = run(row("a", plausible=False), row("b", correct=False), row("c", correct=True), row("x"))
    text = side_by_side({"whole": run(*ROWS), "less": less})
    assert cells(text, "whole")[-4:] == ["-"] * 4
    assert cells(text, "less")[-5:] == ["2.0", "+1 -1", "1.000", "+1 -1", "1.000"]


@every_case(
    ("configuration", "name"),
    [({}, "search"), ({"search_without": "spectra"}, "search without spectra"), ({"tool": "x"}, "x")],
)
def test_labels(configuration, name):
    assert label(run(*ROWS, **configuration)) == name


def test_the_report_command(tmp_path):
    paths = [written(tmp_path / f"{number}.jsonl", run(*ROWS)) for number in (1, 2)]
    files = ["--output", str(tmp_path / "report.md"), "--plots", str(tmp_path / "plots")]
    done = CliRunner().invoke(cli, ["report", *paths, *files])
    assert done.exit_code == 0, done.output
    assert "| search (2) | 4 |" in done.output
    assert "## search (1)" in (tmp_path / "report.md").read_text("utf-8")
    assert "<svg" in (tmp_path / "plots" / "time-to-fix.svg").read_text("utf-8")


def test_a_plot_counts_what_was_confirmed():
    assert steps(run(*ROWS, {**row("e"), "plausible": False})) == [1.0, 2.0, 3.0]


@given(st.integers(1, 7).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_pass_at_k_is_the_share_of_draws_that_hold_a_pass(numbers):
    n, passed, k = numbers
    draws = list(combinations([True] * passed + [False] * (n - passed), k))
    assert pass_at_k(n, passed, k) == pytest.approx(sum(map(any, draws)) / len(draws))


def test_the_interval_of_a_mean():
    wide, narrow = mean_interval([0.0, 1.0] * 5), mean_interval([0.0, 1.0] * 500)
    assert wide[0] == narrow[0] == 0.5
    assert 0.1 <= wide[1] < narrow[1] < 0.5 < narrow[2] < wide[2] <= 0.9
    assert mean_interval([1.0]) == (1.0, 1.0, 1.0)
    assert mean_interval([]) == (0.0, 0.0, 1.0)


def test_samples_become_pass_at_k():
    rows = [asked(task, plausible=task == "a" and n < 1, sample=n) for task in "ab" for n in range(2)]
    text = sampled(groups(rows, "task"))
    assert cells(text, "pass@1")[:2] == ["2", "0.250 [0.000, 0.500]"]
    assert cells(text, "pass@2")[1].startswith("0.500")


def test_pass_at_1_by_turn():
    rows = asked("a", plausible=True), asked("b", plausible=True, turn=2), asked("c", plausible=False)
    text = by_attempts(run(*rows))
    assert [cells(text, str(turns))[0][:3] for turns in (1, 2, 3)] == ["1/3", "2/3", "2/3"]


@every_case(
    ("turn", "calls", "shown", "counted"),
    [
        (0, 1, [0, 1, 2, 3], "after turns"),  # what the search found before any turn is after 0
        (30, 0, [1, 10, 34], "after candidates"),  # no model was asked
    ],
)
def test_after_which_attempts_pass_at_1_is_shown(turn, calls, shown, counted):
    found = run(asked("a", plausible=True, turn=turn, calls=calls), asked("b", plausible=False, calls=calls))
    assert list(attempts_shown(found)) == shown
    assert counted in by_attempts(found)


def test_what_was_spent_and_where():
    found = run(asked("a", plausible=True), asked("b", plausible=False, tokens=300))
    figures = cells(spent(found), "all")
    assert figures == ["1", "200", "280", "10", "10", "90", "2.0", "0.0200", "0.0200"]
    assert cells(stages(found), "patch") == ["2", "3.00", "3.00", "60%"]
    assert cells(stages(found), "(judging)")[-1] == "20%"


def test_rows_of_older_runs_have_no_details():
    old = {"task": "a", "group": "one", "plausible": False, "correct": False, "first": None}
    assert list(details(run(old))) == []


def judged(**verdicts):
    return run(*(row(name, plausible=found is not False, correct=found) for name, found in verdicts.items()))


BEFORE, AFTER = judged(a=True, b=False, c=False, d=None, x=True), judged(a=False, b=True, c=True, d=True)


def test_what_was_gained_and_lost_is_on_common_tasks():
    found = compare(BEFORE, AFTER, "correct")
    assert (found.before.count, found.after.count, found.before.total) == (1, 3, 4)
    assert found.gained == tuple(Key(task=name, sample=0) for name in "bcd")
    assert found.lost == (Key(task="a", sample=0),)
    assert found.p == pytest.approx(0.625)


def test_the_comparison_lists_the_tasks_that_changed(tmp_path):
    paths = [written(tmp_path / f"{name}.jsonl", one) for name, one in (("before", BEFORE), ("after", AFTER))]
    done = CliRunner().invoke(cli, ["compare", *paths, "--output", str(tmp_path / "changes.md")])
    assert done.exit_code == 0, done.output
    text = (tmp_path / "changes.md").read_text("utf-8")
    assert text == done.output
    assert "| verdict | search (before) | search (after) |" in text
    assert "| plausible | 2/4" in text
    assert "correct, gained: b, c, d" in text
    assert "correct, lost: a" in text
    assert "1 of the first, 0 of the second" in text
    assert "different inputs" not in text


def test_runs_of_other_inputs_are_marked_and_those_of_other_tasks_refused():
    other = Run(header={**BEFORE.header, "inputs": {"tasks": "1"}}, rows=BEFORE.rows)
    assert "different inputs" in as_markdown(BEFORE, other, ("one", "two"))
    with pytest.raises(ConfigurationError, match="no task in common"):
        as_markdown(BEFORE, judged(z=True), ("one", "two"))


LIKE_MARKUP = [
    row(f"t/{number}", "$x$ & <b>", attempts=10**number, seconds=20.0**number) for number in range(4)
]
SEARCHED = run(*({**one, "seconds": one["first"]["seconds"]} for one in LIKE_MARKUP))


@every_case("title", ["pass@1 by group", "pass@1 by attempts", "time to fix"])
def test_labels_are_numbers_and_words_and_nothing_is_read_as_mathematics(title):
    picture = drawn(pictures({"a $run$": SEARCHED})[title], {"a $run$": SEARCHED}, form="svg").decode()
    labels = re.findall(r"<!-- (.*?) -->", picture)
    assert "a $run$" in labels
    assert not any("mathdefault" in label for label in labels)
    assert not any(label.startswith(("-", "\N{MINUS SIGN}")) for label in labels)


def test_candidates_are_counted_in_tens():
    picture = drawn(pictures({"a": SEARCHED})["pass@1 by attempts"], {"a": SEARCHED}, form="svg").decode()
    assert {"0", "1", "10", "100", "1000"} <= set(re.findall(r"<!-- (.*?) -->", picture))


@every_case(
    ("count", "total", "low", "high"), [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0)]
)
def test_the_interval_of_wilson(count, total, low, high):
    assert Share(count=count, total=total).interval == pytest.approx((low, high), abs=1e-4)


@given(st.integers(1, 500).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total))))
def test_a_bound_is_a_share_from_which_the_seen_one_is_1_96_standard_errors_away(counts):
    share = Share(count=counts[0], total=counts[1])
    for bound in share.interval:
        error = math.sqrt(bound * (1 - bound) / share.total)
        assert abs(share.value - bound) == pytest.approx(1.959964 * error, abs=1e-6)


def test_a_share_lies_within_its_bounds_whatever_rounding_does_and_that_of_nothing_says_nothing():
    for total in range(1, 60):
        for count in (0, 1, total - 1, total):
            share = Share(count=count, total=total)
            low, high = share.interval
            assert 0 <= low <= share.value <= high <= 1
    assert Share(count=0, total=0).value == 0
    assert Share(count=0, total=0).interval == (0.0, 1.0)
    assert str(Share(count=1, total=2)) == "1/2 = 0.500 [0.095, 0.905]"


@given(st.lists(st.floats(-1e6, 1e6), min_size=1))
def test_quantiles(values):
    assert quantile(values, 0.5) == pytest.approx(statistics.median(values))
    assert quantile(values, 0.0) == min(values)
    assert quantile(values, 1.0) == max(values)
    assert quantile([], 0.5) is None


@every_case(
    ("gained", "lost", "p"), [(0, 0, 1.0), (1, 1, 1.0), (6, 0, 0.03125), (0, 6, 0.03125), (8, 2, 0.109375)]
)
def test_the_exact_test_of_mcnemar(gained, lost, p):
    assert mcnemar(gained, lost) == pytest.approx(p)
