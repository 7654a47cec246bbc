"""The parts that reading a reply is made of, each at the edges of what it forgives."""

import pytest
from every_case import every_case

from bot.errors import PatchError
from bot.patch.diff_excerpt import MAX_LINES, diff_of
from bot.patch.replies.artefacts import line_number, plain_characters, squeezed, without_numbers
from bot.patch.replies.fences import fences
from bot.patch.replies.match import NEARBY_LINES, fitted, holds, locate, shifted, similarity
from bot.patch.text import NumberedSource, dominant_newline, occurrences, one_line


@every_case(
    ("lines", "bare"),
    [
        (["12| a", "13|  b"], ["a", " b"]),
        (["12| a", "", "7 │b"], ["a", "", "b"]),
        (["1| a"], ["a"]),
        (["1| a", "b"], ["1| a", "b"]),
        (["1: a", "2: b"], ["a", "b"]),
        (["9. a", " ", "10) b"], ["a", "", "b"]),
        (["L1 a", "line 2: b"], ["a", "b"]),
        (["L1: a", "L2: b"], ["a", "b"]),
        (["1: a", "3: b"], ["1: a", "3: b"]),
        (["2: a", "1: b"], ["2: a", "1: b"]),
        (["1: a"], ["1: a"]),
        (["1234567| a"], ["1234567| a"]),
        ([], []),
        (["", ""], ["", ""]),
    ],
)
def test_line_numbers_are_taken_off_where_every_line_has_one(lines, bare):
    assert without_numbers(lines) == bare


def test_the_number_of_a_single_line():
    assert line_number(" 12| x") == 12
    assert line_number("12: x") is None


def test_characters_are_compared_as_a_keyboard_has_them():
    assert plain_characters("\u201ca\u201d\u00a0\u2212\u200b1 \u2018b\u2019") == "\"a\" -1 'b'"
    assert squeezed(" a  = 'b' ") == squeezed('a="b"') == 'a="b"'


FENCED = "Look:\n\n```python\nx = 1\n~~~\n``\n```\nand\n~~~~ a b\ny\n~~~\n~~~~~\nend\n```\nopen"


def test_fences_close_with_their_own_mark_at_least_as_long():
    found = [(fence.info, fence.body, fence.before) for fence in fences(FENCED)]
    assert found == [
        ("python", "x = 1\n~~~\n``", "Look:"),
        ("a b", "y\n~~~", "and"),
        ("", "open", "end"),
    ]
    assert fences("no fence, ``` within\n``a\n") == ()
    assert [fence.before for fence in fences("```\na\n```\n```\nb\n```")] == ["", ""]
    assert [
        fence.body for fence in fences(" " * 12 + "```\r\na\r\n" + "```\r\n" + " " * 13 + "```\r\nb")
    ] == ["a"]


DIFF = (
    "diff --git a/a.py b/a.py\nindex 1..2 100644\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+y\n"
    "diff --git a/b.py b/b.py\n--- a/b.py\n+++ b/b.py\t2020\n@@ -1 +1 @@\n" + "-z\n" * 60
)


def test_the_part_of_a_diff_that_is_about_a_file():
    assert diff_of(DIFF, "a.py") == "@@ -1 +1 @@\n-x\n+y"
    assert diff_of(DIFF, "b.py").split("\n") == ["@@ -1 +1 @@", *["-z"] * (MAX_LINES - 1)]
    assert MAX_LINES == 40
    assert diff_of(DIFF, "c.py") == ""


@every_case(
    ("line", "old", "new", "moved"),
    [
        ("    a", "    ", "  ", "  a"),
        ("      a", "    ", "  ", "    a"),
        ("  a", "    ", "        ", "      a"),  # two less than the first stays two less
        ("a", "    ", "      ", "  a"),
        ("a", "    ", "  ", "a"),
        ("  \t", "", "    ", ""),
        ("\ta", "    ", "\t", "a"),
    ],
)
def test_lines_move_along(line, old, new, moved):
    assert shifted(line, old, new) == moved


def test_likeness_is_nought_where_it_cannot_matter():
    assert similarity("a = b", "a  =  b") == 1.0
    assert similarity("abcdefgh", "zyxwvuts") == 0.0
    assert 0.5 < similarity("total += price", "total -= price") < 1.0
    assert similarity("x" * 300 + "a", "x" * 300 + "b") == 1.0  # only so much is looked at


TEXT = "def f():\n    a = 1\n    b = 2\n\n    a = 1\n    return a\n"


def place(wanted, text=TEXT, **options):
    found = locate(NumberedSource("p.py", text), wanted, **options)
    return found.start, found.end, found.exact


@every_case(
    ("wanted", "options", "found"),
    [
        # A place is exact before it is anything else.
        (["    b = 2"], {}, (2, 3, True)),
        (["    b = 2  "], {}, (2, 3, True)),
        (["b = 2"], {}, (2, 3, False)),
        (["b=2"], {}, (2, 3, False)),
        (["3| b = 2"], {}, (2, 3, False)),
        (["b = 2", "a = 1"], {}, (2, 5, False)),  # blank lines between do not count
        (["    b = 2", "", "    a = 1"], {}, (2, 5, True)),
        # One line among others may be misquoted.
        (["    b = 2", "    a = 1", "    return b"], {}, (2, 6, False)),
        (["    b = 2", "    return b"], {}, "does not occur"),
        (["    b = 2", "    a = 1", "    something else"], {}, "does not occur"),
        (["    b = 3", "    a = 1", "    return b"], {}, "does not occur"),
        # The stated line tells places apart.
        (["    a = 1"], {}, r"fits 2 places in 'p.py' \(lines 2, 5\): quote more lines"),
        (["    a = 1"], {"near": 1}, (1, 2, True)),
        (["    a = 1"], {"near": 4}, (4, 5, True)),
        (["    a = 1"], {"near": 3}, "fits 2 places"),  # both are near
        (["    a = 1"], {"floor": 2}, (4, 5, True)),
        (["    a = 1"], {"floor": 4}, (4, 5, True)),
        (["    a = 1"], {"floor": 5}, "does not occur"),
        # What is absent is named with the nearest line.
        (["something unlike"], {}, r"there is no line 'something unlike'$"),
        (["    b = 2", "    retrun a"], {}, r"there is no line 'retrun a'; the nearest one is 'return a'$"),
    ],
)
def test_the_place_of_quoted_lines(wanted, options, found):
    if isinstance(found, tuple):
        assert place(wanted, **options) == found
        return
    with pytest.raises(PatchError, match=found):
        place(wanted, **options)


def test_near_is_so_many_lines_and_no_more():
    text = "a\n" + "x\n" * 200 + "a\n"  # lines 0 and 201
    assert place(["a"], text, near=NEARBY_LINES) == (0, 1, True)
    assert place(["a"], text, near=201 - NEARBY_LINES) == (201, 202, True)
    for near in (NEARBY_LINES + 1, 200 - NEARBY_LINES):
        with pytest.raises(PatchError, match="fits 2 places"):
            place(["a"], text, near=near)


def test_a_text_holds_lines_whatever_their_indentation():
    source = NumberedSource("p.py", TEXT)
    assert holds(source, ["def f():", "    a = 1  "])
    assert holds(source, ["b = 2", "a = 1"])
    assert not holds(source, ["a = 1", "def f():"])
    assert not holds(source, ["a=1"])


def test_new_lines_get_the_layout_of_their_place():
    source = NumberedSource("p.py", TEXT)
    wanted = ["b = 2", "a = 1", "return a"]
    found = locate(source, wanted)
    changed = fitted(["b = 2", "a = 3", "return a"], found, source)
    assert changed == ["    b = 2", "", "    a = 3", "    return a"]
    more = fitted(["b = 2", "a = 1", "if a:", "    b = 3", "return a"], found, source)
    assert more == ["    b = 2", "", "    a = 1", "    if a:", "        b = 3", "    return a"]
    exact = locate(source, ["    b = 2"])
    assert fitted(["c"], exact, source) == ["c"]


def test_newlines_of_the_majority():
    assert dominant_newline("a\r\nb\r\nc\n") == "\r\n"
    assert dominant_newline("a\r\nb\n") == "\n"
    assert dominant_newline("") == "\n"


def test_occurrences_may_overlap():
    assert occurrences(["a", "a"], ["a", "a", "a", "b"]) == [0, 1]


def test_hostile_text_becomes_the_end_of_a_line():
    assert one_line(" a\x1b[0m\nb\u202e ") == "a [0m b"
    assert one_line("x" * 300) == "x" * 200
    assert one_line("abc", limit=2) == "ab"
