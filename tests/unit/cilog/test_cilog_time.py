"""What a log's author can make a reader do: a line may cost what its length does, and not a power of it.

Each bound is far from either side.
"""

import re
import tracemalloc

import pytest
from cost import cost
from every_case import every_case

from bot.causes.log_rules import KEPT_LINES, RULES
from bot.cilog import read_log
from bot.cilog.pytest_sessions.summary import MAX_HEADER, entry, progress
from bot.cilog.runners import zope_log
from bot.cilog.runners.junit import is_report
from bot.cilog.tracebacks.crash import Crash
from bot.triage.rules import findings

MOST = 60
"""For what takes milliseconds, a unit at most, and took from five seconds to for ever."""

TOX = "py: commands[0]> x\n"


def crashed(line):
    return lambda: Crash(reason="", test="", log_line=1, timeout=True).take(line)


def log(text):
    return lambda: read_log([text.encode()])


def unnamed(count):
    """A verbose session whose summary is missing: only the progress tells in which file a test is."""
    progress = "".join(f"tests/test_a.py::test_{number} FAILED\n" for number in range(count))
    blocks = "".join(f"____ test_{number} ____\nE   assert 0\n" for number in range(count))
    return (
        f"=== test session starts ===\n{progress}=== FAILURES ===\n{blocks}=== {count} failed in 1.00s ===\n"
    )


@every_case(
    "work",
    [
        lambda: is_report(b"<!---->" * 500 + b"x"),
        lambda: progress("a" + "::" * (MAX_HEADER // 2 - 10) + " FAILED x"),
        lambda: entry("SUBFAILED[" + "](" * MAX_HEADER),
        crashed("+" * 65_000),
        log(f"{TOX}py: exit 1 (0.1 seconds) x> {' ' * 3_990}x\n"),
        log(f"{TOX}ERROR: InvocationError for command {' ' * 3_990}x\n"),
        log(f"py: commands[0]> {' ' * 5_000}x\n"),
    ],
    ids=["comments", "colons", "subtest", "ruler", "tox_command", "tox_error", "tox_blanks"],
)
def test_a_line_made_to_be_slow(work):
    assert cost(work) < MOST


LONG = "    " + "x" * 60_000 + "\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "Traceback (most recent call last):\n" + LONG * 200,
        "{0} a.b [0.1s] ... FAILED\n\nCaptured traceback:\n~~~\n" + LONG * 200,
        "*" * 70 + '\nFile "a.py", line 1, in a\nFailed example:\n' + LONG * 200,
        "ImportError while loading conftest '/w/conftest.py'.\n" + LONG * 200,
        "Failure in test test_a (a.A)\nTraceback (most recent call last):\n" + LONG * 200,
    ],
    ids=["traceback", "stestr", "doctest", "conftest", "zope"],
)
def test_long_lines_are_not_all_kept(monkeypatch, text):
    monkeypatch.setattr(zope_log, "MAX_KEPT", 500_000)
    data = text.encode()
    tracemalloc.start()
    try:
        read_log(data[at : at + 65_536] for at in range(0, len(data), 65_536))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert peak < 6_000_000  # of 12 million characters


def test_many_tests_without_a_summary():
    few, many = log(unnamed(100)), log(unnamed(1_600))
    few()

    # Sixteen times the tests took 256 times the time.
    assert cost(many) < 60 * max(cost(few), 1)
    assert len(read_log([unnamed(100).encode()]).failures) == 100


def namesakes(count, *, place="tests/test_{}.py", name="test_it"):
    """Tests of one name in as many files; the summary names them in another order than the blocks."""
    body = "".join(f"x = {{{n}: 0}}\n" for n in range(8))
    blocks = "".join(
        f"____ {name.format(n)} ____\n{body}{place.format(n)}:7: AssertionError\nE   assert {n} == 0\n"
        for n in range(count)
    )
    names = "".join(f"FAILED tests/test_{n}.py::{name.format(n)}\n" for n in reversed(range(count)))
    return (
        f"=== test session starts ===\n=== FAILURES ===\n{blocks}=== short test summary info ===\n{names}"
        f"=== {count} failed in 1.00s ===\n"
    )


@every_case("place", ["tests/test_{}.py", "/home/me/app/tests/test_{}.py"])
def test_many_tests_of_one_name_each_get_their_own_block(place):
    found = read_log([namesakes(300, place=place).encode()]).failures

    assert {(one.test, one.message) for one in found} == {
        (f"tests/test_{n}.py::test_it", f"assert {n} == 0") for n in range(300)
    }


def test_blocks_of_one_name_are_not_read_for_each_test():
    # None of the blocks names its file, so that every other one might be meant.
    apart = log(namesakes(1_000, place="x", name="test_{}"))
    same = log(namesakes(1_000, place="x"))

    # They took four times as long.
    assert cost(same) < 2 * cost(apart) + 6


@every_case(
    "repeated",
    ["::1", "127.0.0.1", "localhost", "connection ", "ECONNREFUSED ::1", "service ", "Failed to fetch "],
)
def test_a_line_that_repeats_what_a_rule_looks_for(repeated):
    assert RULES
    assert cost(lambda: list(findings(1, repeated * 500))) < MOST


@every_case(
    "line", ["Cannot install " * 8_000, " timed out after " + "command " * 15_000], ids=["install", "timeout"]
)
def test_a_line_that_repeats_how_evidence_begins(line):
    patterns = [re.compile(one.pattern) for one in KEPT_LINES if one.literal in line]

    assert patterns
    # A line is cut before it is searched; a long one shows that the time is no square.
    assert cost(lambda: [pattern.search(line) for pattern in patterns]) < MOST


def test_evidence_that_begins_twice_is_found():
    lines = ["ERROR: Cannot install a; Cannot install b because of c", "the command test timed out after 3 s"]
    found = read_log(["\n".join(lines).encode()]).evidence
    assert [(one.topic, one.text) for one in found] == list(
        zip(["resolution", "timeout"], lines, strict=True)
    )
