"""Minimisation on small, known cases."""

import pytest

from bot.domain import Patch, SpanEdit
from bot.errors import PatchError
from bot.patch.apply import apply, from_sources
from bot.patch.minimise import minimised

OLD = {"a.py": "".join(f"v{number} = {number}\n" for number in range(20)), "b.py": "x = 1\n"}


def test_only_the_needed_line_stays():
    new = {
        "a.py": OLD["a.py"]
        .replace("= 3\n", "= 30\n")
        .replace("= 4\n", "= 40\n")
        .replace("= 15\n", "= 0\nz = 1\n")
    }
    new["b.py"] = "x = 2\n"
    new["c.py"] = "helper = 1\n"
    result = minimised(
        from_sources(OLD, new), OLD, lambda patch: "v4 = 40" in apply(patch, OLD).get("a.py", "")
    )
    assert apply(result, OLD) == {"a.py": OLD["a.py"].replace("= 4\n", "= 40\n")}


def test_uneven_replacements_are_narrowed():
    new = {"a.py": OLD["a.py"].replace("v5 = 5\n", "p = 1\nv5 = 50\nq = 2\n")}
    result = minimised(
        from_sources(OLD, new), OLD, lambda patch: "v5 = 50" in apply(patch, OLD).get("a.py", "")
    )
    assert apply(result, OLD) == {"a.py": OLD["a.py"].replace("v5 = 5\n", "v5 = 50\n")}


def test_lines_that_go_are_weighed_one_by_one():
    new = {"b.py": "x = 1\n", "a.py": OLD["a.py"].replace("v5 = 5\nv6 = 6\nv7 = 7\n", "")}
    result = minimised(
        from_sources(OLD, new), OLD, lambda patch: "v6" not in apply(patch, OLD).get("a.py", "v6")
    )
    assert apply(result, OLD) == {"a.py": OLD["a.py"].replace("v6 = 6\n", "")}


def test_a_line_that_was_replaced_is_not_taken_away():
    new = {"b.py": "x = 2\n"}
    result = minimised(
        from_sources(OLD, new), OLD, lambda patch: "= 1" not in apply(patch, OLD).get("b.py", "= 1")
    )
    assert apply(result, OLD) == new


def test_what_does_not_parse_is_never_asked_about():
    old = {"a.py": "def f():\n    return 1\n"}
    patch = from_sources(old, {"a.py": "def f(a,\n      b):\n    if a:\n        return 2\n    return 1\n"})
    asked = []

    def passes(candidate):
        asked.append(candidate)
        compile(apply(candidate, old)["a.py"], "a.py", "exec")
        return "return 2" in apply(candidate, old)["a.py"]

    assert passes(minimised(patch, old, passes))


def test_nothing_smaller_gives_the_patch_itself():
    patch = Patch(
        edits=(
            SpanEdit(path="b.py", start=4, end=5, replacement="2"),
            SpanEdit(path="a.py", start=5, end=6, replacement="9"),
        )
    )
    assert minimised(patch, OLD, lambda _: False) is patch
    assert minimised(patch, OLD, lambda _: True, max_checks=0) is patch


def test_a_patch_that_does_not_apply_is_a_patch_error():
    with pytest.raises(PatchError):
        minimised(
            Patch(edits=(SpanEdit(path="b.py", start=4, end=50, replacement="2"),)), OLD, lambda _: True
        )
