"""What a person sees: the numbers, and untrusted text as text."""

import io

import pytest
from console_support import ANSI, failing, shown, terminal
from every_case import every_case
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from bot.console import ConsoleProgress, plain
from bot.domain import Attempt, Baseline, Candidate, Patch, RuledOut, Suspicion, Verdict
from bot.result import Outcome, RepairResult


@given(st.text(), st.integers(2, 300))
def test_plain_is_one_printable_line_of_limited_length(text, limit):
    line = plain(text, limit)
    assert line.isprintable()
    assert len(line) <= limit


@every_case(
    ("text", "expected"),
    [
        ("a\nb\r\n  c\td", "a b c d"),
        ("\x1b[31mred\x1b[0m", " [31mred [0m"),
        ("\x1b]0;title\x07x", " ]0;title x"),
        ("a\x00\x08\x7f\x9b2Jb", "a    2Jb"),
        ("over\u202eride", "over ride"),
        ("byte \udcff", "byte  "),
        ("caf\u00e9 \u2713", "caf\u00e9 \u2713"),
        ("x" * 300, "x" * 199 + "\u2026"),
        ("", ""),
    ],
)
def test_plain_removes_what_could_act_on_a_terminal(text, expected):
    assert plain(text) == expected


@every_case(("verbose", "lines"), [(False, []), (True, ["search: [bold]9[/bold] lines [2J", "minimise"])])
def test_progress_has_a_line_a_stage_or_is_silent_where_there_is_no_terminal(verbose, lines):
    stream = io.StringIO()
    with ConsoleProgress(Console(file=stream, width=80, force_terminal=False), verbose=verbose) as progress:
        progress.stage("search", "[bold]9[/bold]\nlines\x1b[2J")
        progress.stage("search", "[bold]9[/bold]\nlines\x1b[2J")
        progress.tick(attempts=1, detail="x")
        progress.stage("minimise")
    assert [line.partition(" s  ")[2] for line in stream.getvalue().splitlines()] == lines


def test_a_terminal_shows_the_stage_and_is_left_clean():
    stream, console = terminal()
    with ConsoleProgress(console, verbose=False) as progress:
        progress.stage("search", "[red]x[/red]")
        progress.tick(attempts=41, detail="\x1b]0;evil\x07" + "y" * 99)
        progress._status._live.refresh()
    text = stream.getvalue()
    assert "search: [red]x[/red] \u00b7 41 tried" in ANSI.sub("", text)
    assert "\x1b]0;" not in text
    assert text.rstrip().endswith(("\x1b[?25h", "\x1b[2K"))


def test_progress_stops_with_an_error():
    stream, console = terminal()
    with pytest.raises(KeyboardInterrupt), ConsoleProgress(console, verbose=False):
        raise KeyboardInterrupt
    assert "\x1b[?25h" in stream.getvalue()  # the cursor is back


def test_no_patch_says_why_and_how_close_it_came():
    partial = Attempt(
        candidate=Candidate(patch=Patch(edits=()), origin="x", explanation="half [b]of\x1b[2J it"),
        verdict=Verdict.PARTIAL,
        fixed=("t.py::a",),
    )
    text = shown(
        RepairResult(
            outcome=Outcome.NO_PATCH,
            reason="nothing\nhelps \x1b[31m",
            baseline=Baseline(failing=failing("t.py::a", "t.py::b"), runs=3),
            best_partial=partial,
            suspicions=tuple(Suspicion(path="a.py", line=n, score=1.0) for n in range(1, 9)),
            attempts=5,
        )
    )
    first, second, third = text.splitlines()
    assert first == "no patch (no_patch): nothing helps  [31m"
    assert second == "closest: half [b]of [2J it (repairs 1 of 2 tests)"
    assert third == "most suspicious: a.py:1, a.py:2, a.py:3, a.py:4, a.py:5"


def test_no_patch_shows_the_nearest_attempts_and_what_was_ruled_out():
    def near(number):
        candidate = Candidate(patch=Patch(edits=()), origin="x", explanation=f"change {number}")
        return Attempt(candidate=candidate, verdict=Verdict.FAILING, gain=f"gets\x1b[31m to line {number}")

    text = shown(
        RepairResult(
            outcome=Outcome.NO_PATCH,
            reason="nothing helps",
            partials=tuple(near(number) for number in range(1, 6)),
            ruled_out=RuledOut(operators=(("number", 70), ("delete", 9)), unchanged=12),
            attempts=80,
        )
    )
    _, *closest, ruled_out = text.splitlines()
    assert closest == [f"closest: change {n} (gets [31m to line {n})" for n in (1, 2, 3)]
    assert ruled_out == (
        "ruled out: 80 candidates, most of them number (70), delete (9); "
        "12 behaved as the unchanged program does"
    )


def test_a_long_reason_is_not_broken_into_lines():
    reason = "word " * 60
    assert shown(RepairResult(outcome=Outcome.NOT_CODE, reason=reason), width=40).count("\n") == 1
