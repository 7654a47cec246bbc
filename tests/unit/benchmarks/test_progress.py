"""What is seen of a run, what it measures beside verdicts, and `regreen bench`, by which it is reached."""

import io
import json
import re
import sys

import pytest
from click.testing import CliRunner
from every_case import every_case
from rich.console import Console

from benchmarks.runs.execute import not_in_vain
from benchmarks.runs.harness import StageClock, first_turn
from benchmarks.runs.progress import OutcomeTally, Tally, display
from bot.cli import cli, run
from bot.errors import MachineError

ROW = {"task": "a [b]/1", "outcome": "patched", "plausible": True, "correct": None, "seconds": 1.25}


def test_each_row_is_a_line_with_pass_at_1_so_far():
    sink = io.StringIO()
    with display(3, Tally(), Console(file=sink, soft_wrap=True)) as lines:
        lines.skip({**ROW, "correct": True})
        lines.show(ROW)
        lines.show({**ROW, "plausible": False, "outcome": "no_patch"})
    assert sink.getvalue().splitlines() == [
        "   2/3 a [b]/1: plausible, 1.2 s; pass@1 1.000 (2 plausible, 1 correct of 2)",
        "   3/3 a [b]/1: no_patch, 1.2 s; pass@1 0.667 (2 plausible, 1 correct of 3)",
    ]


def test_a_terminal_has_a_bar():
    sink = io.StringIO()
    with display(2, Tally(), Console(file=sink, force_terminal=True, width=160)) as bar:
        bar.skip(ROW)
        bar.show({**ROW, "task": "second"})
    assert "second: plausible" in sink.getvalue()
    assert "2/2" in sink.getvalue()


def test_samples_and_tokens_are_told():
    usage = {"prompt_tokens": 700, "completion_tokens": 50}
    assert (
        Tally().row_line({**ROW, "sample": 2, "usage": usage}) == "a [b]/1 #2: plausible, 1.2 s, 750 tokens"
    )


def test_what_repairs_nothing_is_counted_by_its_outcomes():
    tally = OutcomeTally()
    for outcome in ("usable", "crashed", "usable"):
        tally.add({**ROW, "outcome": outcome})
    assert str(tally) == "2 usable, 1 crashed"
    assert tally.row_line({**ROW, "reason": "no index"}) == "a [b]/1: patched (no index), 1.2 s"


def test_stages_last_until_the_next_and_may_come_again():
    times = iter([0.0, 1.0, 3.0, 6.0, 10.0])
    clock = StageClock(lambda: next(times))
    for name in ("search", "validate", "search"):
        clock.stage(name)
    assert clock.stop() == {"start": 1.0, "search": 6.0, "validate": 3.0}


def test_regreen_bench_is_the_benchmarks():
    shown = CliRunner().invoke(cli, ["bench", "compare", "--help"])
    assert shown.exit_code == 0
    assert "regreen bench compare" in shown.output


def test_errors_of_a_benchmark_are_one_line(capfd, tmp_path):
    assert run(["bench", "humanevalfix", "--dataset", str(tmp_path / "nothing")]) != 0
    assert capfd.readouterr().err.startswith("regreen: no dataset ")
    assert run(["bench", "nothing"]) == 2
    assert capfd.readouterr().err.startswith("regreen: No such command")


def test_without_a_library_of_the_benchmarks_the_error_names_it(monkeypatch, capfd):
    monkeypatch.setitem(sys.modules, "benchmarks.__main__", None)
    assert run(["bench"]) == 2
    assert "the benchmarks need benchmarks.__main__: pip install -e '.[bench]'" in capfd.readouterr().err


def test_outside_of_a_checkout_the_error_says_where_the_benchmarks_are(monkeypatch, capfd, tmp_path):
    monkeypatch.setattr("bot.commands.bench.__file__", str(tmp_path / "bot" / "commands" / "bench.py"))
    assert run(["bench"]) == 2
    assert "the benchmarks are not installed: clone Regreen's repository" in capfd.readouterr().err


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")


def test_the_first_turn_may_ask_more_than_once(tmp_path):
    path = tmp_path / "one.jsonl"
    assert first_turn(path) is None
    said = [
        {"kind": "run"},
        {"kind": "prompt", "turn": 1, "messages": []},
        {"kind": "reply", "turn": 1, "prompt_tokens": 500},
        {"kind": "reply", "turn": 1, "prompt_tokens": 150},
        {"kind": "reply", "turn": 2, "prompt_tokens": 700},
    ]
    path.write_text("".join(json.dumps(event) + "\n" for event in said) + '{"kind": "re', "utf-8")
    assert first_turn(path) == {"first_prompt_tokens": 500, "prompt_tokens": 650}


def crashed(reason):
    return {"outcome": "crashed", "reason": reason}


def test_a_run_that_can_only_crash_ends_before_anything_is_written():
    taken = []
    with pytest.raises(MachineError, match=re.escape("nothing was measured: no key")):
        taken.extend(not_in_vain(iter([crashed("no key")] * 9)))
    assert taken == []


@every_case(
    "rows",
    [
        [],
        [crashed("a")] * 2,
        [crashed("a"), crashed("b"), crashed("a"), crashed("a")],
        [crashed("a"), {"outcome": "patched"}, *[crashed("a")] * 5],
    ],
)
def test_other_crashes_are_rows(rows):
    assert list(not_in_vain(iter(rows))) == rows
