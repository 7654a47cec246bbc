"""Applying span edits, and deriving them from texts."""

import pytest
from every_case import every_case

from bot.domain import Patch, SpanEdit
from bot.errors import PatchError
from bot.patch.apply import apply, from_sources
from bot.patch.text import NumberedSource, decode, encode, split_lines


def patch(*edits):
    return Patch(
        edits=tuple(
            SpanEdit(path=path, start=start, end=end, replacement=text) for path, start, end, text in edits
        )
    )


def test_edits_apply_in_any_order_to_the_original_offsets():
    edits = [("a", 4, 5, "EE"), ("a", 0, 1, ""), ("a", 2, 2, "+"), ("b", 0, 0, "new")]
    expected = {"a": "b+cdEEf", "b": "new"}
    assert apply(patch(*edits), {"a": "abcdef", "c": "kept"}) == expected
    assert apply(patch(*reversed(edits)), {"a": "abcdef"}) == expected


def test_insertions_at_one_offset_keep_their_order_and_go_before_a_replacement():
    assert apply(patch(("a", 1, 2, "X"), ("a", 1, 1, "1"), ("a", 1, 1, "2")), {"a": "abc"}) == {"a": "a12Xc"}


def test_files_that_come_out_unchanged_are_left_out():
    assert apply(patch(("a", 0, 1, "a")), {"a": "abc"}) == {}
    assert apply(patch(("a", 0, 0, "")), {}) == {"a": ""}


@every_case(
    ("edits", "problem"),
    [
        ([("a", 0, 2, ""), ("a", 1, 3, "")], "overlap"),
        ([("a", 0, 3, ""), ("a", 1, 1, "x")], "overlap"),
        ([("a", 0, 4, "")], "outside"),
        ([("a", -1, 0, "")], "outside"),
        ([("a", 2, 1, "")], "outside"),
        ([("b", 1, 1, "x")], "does not exist"),
        ([("b", 0, 1, "x")], "does not exist"),
    ],
)
def test_wrong_offsets_are_patch_errors(edits, problem):
    with pytest.raises(PatchError, match=problem):
        apply(patch(*edits), {"a": "abc"})


def test_from_texts_touches_only_the_lines_that_differ():
    edits = from_sources({"a": "1\n2\n3\n4\n", "b": "x"}, {"a": "1\nII\n3\n", "b": "x", "c": ""}).edits
    assert edits == patch(("a", 2, 4, "II\n"), ("a", 6, 8, ""), ("c", 0, 0, "")).edits


def test_huge_repetitive_texts_do_not_take_minutes():
    old, new = "x = 1\ny = 2\n" * 4000, "y = 2\nz = 3\nx = 1\n" * 4000
    assert apply(from_sources({"a": old}, {"a": new}), {"a": old}) == {"a": new}


def test_only_line_feeds_end_lines():
    assert split_lines("a\x0cb\u2028c\rd\r\ne") == ["a\x0cb\u2028c\rd\r\n", "e"]
    assert split_lines("") == []
    assert encode(decode(b"\xff\r\n\x00")) == b"\xff\r\n\x00"


def test_numbered_text_keeps_newline_style_and_missing_final_newline():
    source = NumberedSource("a", "1\r\n2\r\n3")
    sources = {"a": source.text}

    def after(edit):
        return apply(Patch(edits=(edit,)), sources)["a"]

    assert after(source.replace(1, 2, ["x", "y\n", "z\r\n"])) == "x\r\ny\r\nz\r\n3"
    assert after(source.replace(3, 3, ["x", "y"])) == "1\r\n2\r\nx\r\ny"
    assert after(source.insert(3, ["x\ny"])) == "1\r\n2\r\n3\r\nx\r\ny"
    assert after(source.insert(0, [""])) == "\r\n1\r\n2\r\n3"
    assert after(source.replace(2, 3, [])) == "1\r\n"
