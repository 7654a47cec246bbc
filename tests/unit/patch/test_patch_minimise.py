"""Minimisation on small, known cases."""

import pytest
from every_case import every_case

from bot.domain import Patch, SpanEdit
from bot.errors import PatchError
from bot.patch.apply import apply, from_sources
from bot.patch.minimise import minimised

OLD = {"a.py": "".join(f"v{number} = {number}\n" for number in range(20)), "b.py": "x = 1\n"}


A, B = OLD["a.py"], OLD["b.py"]


@every_case(
    ("new", "wanted", "left"),
    [
        # Only the line that is needed stays.
        (
            {
                "a.py": A.replace("= 3\n", "= 30\n")
                .replace("= 4\n", "= 40\n")
                .replace("= 9\n", "= 0\nz = 1\n"),
                "b.py": "x = 2\n",
                "c.py": "helper = 1\n",
            },
            lambda new: "v4 = 40" in new["a.py"],
            {"a.py": A.replace("= 4\n", "= 40\n")},
        ),
        # Replacements of another length are narrowed.
        (
            {"a.py": A.replace("v5 = 5\n", "p = 1\nv5 = 50\nq = 2\n")},
            lambda new: "v5 = 50" in new["a.py"],
            {"a.py": A.replace("v5 = 5\n", "v5 = 50\n")},
        ),
        # Lines that go are weighed one by one.
        (
            {"a.py": A.replace("v5 = 5\nv6 = 6\nv7 = 7\n", "")},
            lambda new: "v6" not in new["a.py"],
            {"a.py": A.replace("v6 = 6\n", "")},
        ),
        # A line that was replaced is not taken away.
        ({"b.py": "x = 2\n"}, lambda new: "= 1" not in new["b.py"], {"b.py": "x = 2\n"}),
    ],
)
def test_what_is_not_needed_goes(new, wanted, left):
    result = minimised(from_sources(OLD, {**OLD, **new}), OLD, lambda patch: wanted(OLD | apply(patch, OLD)))
    assert apply(result, OLD) == left


def test_it_ends_with_its_last_check():
    old = {"a.py": "".join(f"v{number} = {number}\n" for number in range(400))}
    new = {"a.py": "".join(f"v{number} = {number + number % 2}\n" for number in range(400))}
    asked = []
    minimised(from_sources(old, new), old, lambda patch: asked.append(patch) or False, max_checks=5)
    assert len(asked) == 5


def test_what_does_not_parse_is_never_asked_about():
    old = {"a.py": "def f():\n    return 1\n"}
    patch = from_sources(old, {"a.py": "def f(a,\n      b):\n    if a:\n        return 2\n    return 1\n"})
    asked = []

    def passes(candidate):
        asked.append(candidate)
        compile(apply(candidate, old)["a.py"], "a.py", "exec")
        return "return 2" in apply(candidate, old)["a.py"]

    assert passes(minimised(patch, old, passes))


def test_no_part_leaves_code_that_is_never_reached():
    code = "try:\n    f()\nexcept A:\n    raise\nexcept Exception:\n    raise B\n"
    sources = {"m.py": code}
    patch = from_sources(sources, {"m.py": "f()\n"})
    found = apply(minimised(patch, sources, lambda part: True), sources)["m.py"]
    assert "raise\n    raise B" not in found


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
