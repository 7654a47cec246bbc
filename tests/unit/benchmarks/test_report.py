"""The tables say what the rows say, and never call correct what is only plausible."""

from click.testing import CliRunner
from every_case import every_case

from benchmarks.__main__ import cli
from benchmarks.reports.plot import steps
from benchmarks.reports.report import by_group, label, patches, side_by_side, summary
from benchmarks.runs import runfile
from benchmarks.runs.runfile import Run

HEAD = {
    "benchmark": "invented",
    "inputs": {"tasks.jsonl": "0123456789abcdef"},
    "code": {"version": "1.0", "commit": "", "digest": "fedcba9876543210"},
    "configuration": {"strategy": "search"},
    "machine": {"cores": 2, "processor": "abacus", "system": "Linux", "python": "3.11.2"},
    "started": "today",
}


def row(task, group="one", *, plausible=True, correct=None, attempts=10, seconds=1.0, **more):
    found = {"attempts": attempts, "seconds": seconds} if plausible else None
    sizes = (
        {"changed_lines": 2, "reference_lines": 2, "alternatives": 1, "same_text": False} if plausible else {}
    )
    return {
        "task": task,
        "group": group,
        "outcome": "patched" if plausible else "no_patch",
        "plausible": plausible,
        "correct": correct if plausible else False,
        "first": found,
        "attempts": 50,
        "seconds": 30.0,
        **sizes,
        **more,
    }


ROWS = (
    row("a", correct=True, same_text=True),
    row("b", correct=False, attempts=30, seconds=3.0, changed_lines=6),
    row("c", plausible=False),
    row("d", "two", correct=True, attempts=20, seconds=2.0),
)


def run(rows=ROWS, **configuration):
    return Run(header={**HEAD, "configuration": {"strategy": "search", **configuration}}, rows=tuple(rows))


def cells(text, first):
    line = next(line for line in text.splitlines() if line.startswith(f"| {first} |"))
    return [cell.strip() for cell in line.strip("|").split("|")][1:]


def test_verdicts_and_costs_by_group():
    text = by_group(run())
    tasks, plausible, correct, *costs = cells(text, "one")
    assert tasks == "3"
    assert plausible.startswith("2/3 = 0.667 [")
    assert correct.startswith("1/3 = 0.333 [")
    assert costs == ["2.00", "2.80", "20", "28"]
    assert cells(text, "all")[:2] == ["4", "3/4 = 0.750 [0.301, 0.954]"]


def test_patches_are_held_against_the_known_repairs():
    plausible, alternatives, ours, ours_p90, known, _, larger, same = cells(patches(run()), "one")
    assert (plausible, alternatives) == ("2", "1")
    assert (ours, ours_p90, known) == ("4", "6", "2")
    assert (larger, same) == ("1", "1")


def test_what_nobody_judged_is_not_called_correct():
    text = summary(run([row("a"), row("b")]))
    assert cells(text, "all")[1].startswith("2/2")
    assert cells(text, "all")[2] == "not graded"
    assert "not judged further: 2" in text


def test_a_run_without_patches():
    text = summary(run([row("a", plausible=False)]))
    assert cells(text, "all")[1:] == ["0/1 = 0.000 [0.000, 0.793]"] * 2 + ["-"] * 4
    assert "Outcomes: 1 no_patch" in text


def test_the_summary_pins_the_run():
    assert "tasks.jsonl 0123456789ab. Code 1.0, commit unknown, digest fedcba987654." in summary(run())


def test_the_summary_tells_who_took_more_than_the_budget():
    text = summary(run([row("a"), {**row("b"), "seconds": 61.5}], time_budget=60.0))
    assert "the longest took 61.5 s, 1 took more than their budget" in text


def test_runs_side_by_side():
    less = [row("a", plausible=False), row("b", correct=False), row("c", correct=True), row("x")]
    text = side_by_side({"whole": run(), "less": run(less)})
    assert cells(text, "whole")[-4:] == ["-"] * 4
    assert cells(text, "less")[-4:] == ["+1 -1", "1.000", "+1 -1", "1.000"]
    assert cells(text, "less")[-5] == "2.0"


@every_case(
    ("configuration", "name"),
    [({}, "search"), ({"search_without": "spectra"}, "search without spectra"), ({"tool": "x"}, "x")],
)
def test_labels(configuration, name):
    assert label(run(**configuration)) == name


def test_the_report_command(tmp_path):
    for number in (1, 2):
        with runfile.write(tmp_path / f"{number}.jsonl", HEAD, resume=False) as sink:
            for one in ROWS:
                sink.add(one)
    paths = [str(tmp_path / "1.jsonl"), str(tmp_path / "2.jsonl")]
    files = ["--output", str(tmp_path / "report.md"), "--plots", str(tmp_path / "plots")]
    done = CliRunner().invoke(cli, ["report", *paths, *files])
    assert done.exit_code == 0, done.output
    assert "| search (2) | 4 |" in done.output
    assert "## search (1)" in (tmp_path / "report.md").read_text("utf-8")
    assert "<svg" in (tmp_path / "plots" / "time-to-fix.svg").read_text("utf-8")


def test_a_plot_counts_what_was_confirmed():
    unconfirmed = {**row("e"), "plausible": False}
    assert steps(run([*ROWS, unconfirmed])) == [1.0, 2.0, 3.0]
