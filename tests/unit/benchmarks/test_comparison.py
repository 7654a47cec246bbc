"""Two runs held against each other, task by task."""

import pytest
from click.testing import CliRunner

from benchmarks.__main__ import cli
from benchmarks.reports.comparison import as_markdown, compare
from benchmarks.runs import runfile
from benchmarks.runs.runfile import Run
from benchmarks.runs.tasks import Key
from bot.errors import ConfigurationError

HEAD = {"benchmark": "invented", "inputs": {}, "configuration": {"tool": "x"}}


def run(*, head=HEAD, **verdicts):
    rows = [
        {"task": name, "sample": 0, "plausible": verdict is not False, "correct": verdict}
        for name, verdict in verdicts.items()
    ]
    return Run(header=head, rows=tuple(rows))


BEFORE = run(a=True, b=False, c=False, d=None, x=True)
AFTER = run(a=False, b=True, c=True, d=True)


def test_what_was_gained_and_lost_is_on_common_tasks():
    found = compare(BEFORE, AFTER, "correct")
    assert (found.before.count, found.after.count, found.before.total) == (1, 3, 4)
    assert found.gained == tuple(Key(task=name, sample=0) for name in "bcd")
    assert found.lost == (Key(task="a", sample=0),)
    assert found.p == pytest.approx(0.625)


def test_the_page_lists_the_tasks_that_changed():
    text = as_markdown(BEFORE, AFTER, ("one", "two"))
    assert "| plausible | 2/4" in text
    assert "correct, gained: b, c, d" in text
    assert "correct, lost: a" in text
    assert "1 of the first, 0 of the second" in text
    assert "different inputs" not in text
    other = run(head={**HEAD, "inputs": {"tasks": "1"}}, a=True)
    assert "different inputs" in as_markdown(BEFORE, other, ("one", "two"))


def test_runs_of_other_tasks_cannot_be_compared():
    with pytest.raises(ConfigurationError, match="no task in common"):
        as_markdown(BEFORE, run(z=True), ("one", "two"))


def test_the_command(tmp_path):
    for name, one in (("before", BEFORE), ("after", AFTER)):
        with runfile.write(tmp_path / f"{name}.jsonl", one.header, resume=False) as sink:
            for row in one.rows:
                sink.add(row)
    paths = [str(tmp_path / "before.jsonl"), str(tmp_path / "after.jsonl")]
    done = CliRunner().invoke(cli, ["compare", *paths, "--output", str(tmp_path / "changes.md")])
    assert done.exit_code == 0, done.output
    assert "x (before)" in done.output
    assert (tmp_path / "changes.md").read_text("utf-8") == done.output
