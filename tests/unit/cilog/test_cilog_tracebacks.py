"""The interpreter's own tracebacks: chains, groups, what stands around them in a log."""

from cilog_support import read
from every_case import every_case

from bot.cilog.tracebacks.native import MAX_FRAMES, read_traceback

ROOT = "/home/runner/work/d/d"


CHAIN = (
    "Traceback (most recent call last):",
    f'  File "{ROOT}/app.py", line 3, in read',
    "    return {}[key]",
    "KeyError: 'a'",
    "",
    "The above exception was the direct cause of the following exception:",
    "",
    "Traceback (most recent call last):",
    f'  File "{ROOT}/run.py", line 9, in <module>',
    "    read('a')",
    f'  File "{ROOT}/app.py", line 5, in read',
    "    raise StoreError(key) from error",
    "app.StoreError: cannot read",
)


def test_a_chain_is_told_by_its_last_exception():
    found = read_traceback(CHAIN)

    assert (found.exception, found.message) == ("app.StoreError", "cannot read")
    assert [(one.path, one.line, one.function) for one in found.frames] == [
        ("run.py", 9, ""),
        ("app.py", 5, "read"),
    ]
    assert [(one.exception, one.message) for one in found.related] == [("KeyError", "'a'")]


def test_a_message_goes_on_in_lines_that_look_like_frames():
    found = read_traceback([*CHAIN[8:12], "ValueError: bad", "  - one", '  File "b.py", line 2, in g'])

    assert found.message == 'bad\n  - one\n  File "b.py", line 2, in g'
    assert [one.path for one in found.frames] == ["run.py", "app.py"]


def test_a_group_with_a_chain_in_a_member_and_a_group_in_another():
    found = read_traceback(
        [
            "  + Exception Group Traceback (most recent call last):",
            f'  |   File "{ROOT}/run.py", line 1, in main',
            "  | ExceptionGroup: outer (2 sub-exceptions)",
            "  | a note",
            "  +-+---------------- 1 ----------------",
            "    | Traceback (most recent call last):",
            f'    |   File "{ROOT}/a.py", line 2, in a',
            "    | KeyError: 'x'",
            "    | ",
            "    | During handling of the above exception, another exception occurred:",
            "    | ",
            "    | Traceback (most recent call last):",
            f'    |   File "{ROOT}/a.py", line 3, in a',
            "    | ValueError: bad",
            "    +---------------- 2 ----------------",
            "    | ExceptionGroup: inner (1 sub-exception)",
            "    +-+---------------- 1 ----------------",
            "      | TypeError: t",
            "      +------------------------------------",
        ]
    )

    assert (found.exception, found.message) == ("ExceptionGroup", "outer (2 sub-exceptions)\na note")
    related = [one.exception for one in found.related]
    assert related == ["KeyError", "ValueError", "ExceptionGroup", "TypeError"]
    assert [one.line for one in found.frames] == [1, 2, 3]


def test_a_deep_recursion_keeps_its_innermost_frames():
    frames = [f'  File "{ROOT}/a.py", line {n}, in f' for n in range(1, 1_001)]
    found = read_traceback(["Traceback (most recent call last):", *frames, "RecursionError: too deep"])

    assert (len(found.frames), found.frames[-1].line) == (MAX_FRAMES, 1_000)


@every_case("text", ["", "no traceback", "Traceback (most recent call last):", "  | x", "+-+-- 1 --"])
def test_what_is_no_traceback(text):
    assert read_traceback([text]).exception == ""


def test_a_tracebacks_place_in_the_log():
    (found,) = read("before", *CHAIN, "after: it", "more").tracebacks

    assert (found.log_line, found.end_log_line) == (2, 14)
    assert (found.exception, found.frames[-1].path, len(found.related)) == ("app.StoreError", "app.py", 1)


def test_two_tracebacks_one_after_the_other_are_two():
    found = read(*CHAIN[:4], *CHAIN[7:]).tracebacks

    assert [one.exception for one in found] == ["KeyError", "app.StoreError"]
    assert found[1].related == ()


def test_a_traceback_that_another_tool_indented_or_marked():
    indented = [f"      {line}" for line in CHAIN[:4]]
    marked = [*CHAIN[:2], f"##[error]{CHAIN[2]}", CHAIN[3]]

    assert [one.exception for one in read(*indented, "x").tracebacks] == ["KeyError"]
    assert [one.exception for one in read(*marked).tracebacks] == ["KeyError"]


def test_a_syntax_error_without_a_header():
    (found,) = read(
        f'  File "{ROOT}/a.py", line 7', "    def f(:", "          ^", "SyntaxError: invalid"
    ).tracebacks

    assert (found.exception, found.frames[0].path, found.frames[0].line) == ("SyntaxError", "a.py", 7)
    assert read("SyntaxError: said a test").tracebacks == ()


def test_a_traceback_inside_a_session_is_not_outside_of_it():
    reading = read("===== test session starts =====", "t.py F", *CHAIN, "===== 1 failed in 0.1s =====")

    assert reading.tracebacks == ()
