"""The structured patch: schema, meaning, and each way to get it wrong."""

import pytest
from every_case import every_case
from pydantic import ValidationError

from bot.errors import PatchError
from bot.patch.apply import apply
from bot.patch.replies.structured import SCHEMA, StructuredPatch, to_patch

SOURCES = {
    "a.py": "one\ntwo\nthree\n",
    "crlf.py": "x = 1  \r\ny = 2\r\nz = 3",
    "empty.py": "",
    "d/b.py": "b\n",
}


def result(*edits, path="a.py"):
    edits = [{"path": path, **edit} for edit in edits]
    patch = StructuredPatch.model_validate({"explanation": "", "edits": edits})
    return apply(to_patch(patch, SOURCES), SOURCES)


def replace(start, end, *lines):
    return {"op": "replace", "start": start, "end": end, "lines": list(lines)}


def insert(after, *lines):
    return {"op": "insert", "after": after, "lines": list(lines)}


def delete(start, end):
    return {"op": "delete", "start": start, "end": end}


def substitute(find, text):
    return {"op": "substitute", "find": find, "replace": text}


def test_the_operations_refer_to_the_original_lines():
    edits = [insert(0, "zero"), replace(1, 1, "I", "i"), delete(2, 2), insert(3, "four")]
    assert result(*edits) == {"a.py": "zero\nI\ni\nthree\nfour\n"}


def test_newline_style_and_missing_final_newline_are_kept():
    assert result(replace(3, 3, "z", "zz"), path="crlf.py") == {"crlf.py": "x = 1  \r\ny = 2\r\nz\r\nzz"}
    assert result(insert(3, "w"), path="crlf.py") == {"crlf.py": "x = 1  \r\ny = 2\r\nz = 3\r\nw"}
    assert result(substitute("y = 2\n", "y = 4\nv = 5\n"), path="crlf.py") == {
        "crlf.py": "x = 1  \r\ny = 4\r\nv = 5\r\nz = 3"
    }
    assert result(insert(0, "a"), path="empty.py") == {"empty.py": "a\n"}


@every_case("path", ["./a.py", "/workspace/repo/a.py"])
def test_a_path_may_be_dotted_or_absolute(path):
    assert result(delete(1, 3), path=path) == {"a.py": ""}


def test_an_insert_at_the_top_creates_an_unknown_file():
    assert result(insert(0, "n = 1", "m = 2"), path="./n.py") == {"n.py": "n = 1\nm = 2\n"}


@every_case(
    ("find", "text", "expected"),
    [
        ("two", "2", "one\n2\nthree\n"),
        ("one \ntwo\t\n", "1\n2\n", "1\n2\nthree\n"),
        ("one\r\ntwo", "1", "1\nthree\n"),
        ("three ", "3", "one\ntwo\n3\n"),
        ("wo\nth", "", "one\ntree\n"),
    ],
)
def test_substitute_tolerates_trailing_whitespace_and_newline_style(find, text, expected):
    assert result(substitute(find, text)) == {"a.py": expected}


def test_substitute_at_the_end_keeps_the_missing_newline():
    assert result(substitute("y = 2\nz = 3\n", "z = 4\n"), path="crlf.py") == {"crlf.py": "x = 1  \r\nz = 4"}


@every_case(
    ("edits", "problem"),
    [
        ([{"path": "nope.py", **delete(1, 1)}], "edit 1: unknown path 'nope.py'"),
        ([{"path": "c.py", **insert(1, "x")}], "unknown path"),
        ([delete(1, 1), replace(0, 1, "x")], "edit 2: lines 0-1 are out of range: 'a.py' has 3 lines"),
        ([replace(2, 1, "x")], "out of range"),
        ([delete(3, 4)], "out of range"),
        ([delete(10**30, 10**30)], "out of range"),
        ([insert(4, "x")], "cannot insert after line 4"),
        ([insert(-1, "x")], "cannot insert"),
        ([insert(0, "\ud800")], "not valid Unicode"),
        ([substitute("four", "x")], "does not occur"),
        ([substitute("on ", "x")], "does not occur"),
        ([substitute("o", "x")], "occurs 2 times"),
        ([substitute(" \n", "x")], "blank"),
        ([replace(1, 2, "x"), replace(2, 3, "x")], "overlap"),
        ([replace(1, 3, "x"), insert(1, "x")], "overlap"),
    ],
)
def test_each_mistake_is_a_patch_error_that_names_it(edits, problem):
    with pytest.raises(PatchError, match=problem) as caught:
        result(*edits)
    assert "\n" not in str(caught.value)


@every_case(
    "edit",
    [
        {"op": "move", "path": "a.py"},
        {**delete(1, 1), "path": "a.py", "extra": 1},
        {"op": "delete", "path": "a.py", "start": 1},
    ],
)
def test_the_models_are_strict(edit):
    with pytest.raises(ValidationError):
        StructuredPatch.model_validate({"explanation": "", "edits": [edit]})


def nodes(node):
    yield node
    for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from nodes(child)


def test_the_schema_is_fit_for_a_strict_response_format():
    objects = [node for node in nodes(SCHEMA) if isinstance(node, dict) and node.get("type") == "object"]
    assert len(objects) == 5
    for node in objects:
        assert node["additionalProperties"] is False
        assert sorted(node["required"]) == sorted(node["properties"])
    keys = {key for node in nodes(SCHEMA) if isinstance(node, dict) for key in node}
    assert "anyOf" in keys
    assert not keys & {"oneOf", "discriminator", "default", "minimum", "maximum", "pattern"}
