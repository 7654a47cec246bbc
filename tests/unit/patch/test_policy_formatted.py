"""A test file may be formatted, and nothing else be done to it."""

import dataclasses

from every_case import every_case

from bot.domain import Patch, SpanEdit
from bot.patch.policy.files.formatted import is_formatting
from bot.patch.policy.gate import Policy, judge

PATH = "tests/test_shop.py"
FORMATTER = Policy(formats_tests=True)
TEST = "def test_total( ):\n    #the sum\n    assert total(1,2)==3  # noqa\n"


def whole(new, path=PATH):
    return Patch(edits=(SpanEdit(path=path, start=0, end=len(TEST), replacement=new),))


def verdict(new, *, path=PATH):
    sources = {path: TEST, "shop.py": "def total(a, b):\n    return a + b\n"}
    patch = whole(new, path)
    return judge(patch, sources, FORMATTER).refused, is_formatting(patch, sources)


@every_case(
    "new",
    [
        "def test_total():\n    # the sum\n    assert total(1, 2) == 3  # noqa\n",
        "def test_total():\n    # the sum\n    assert (\n        total(1, 2) == 3  # noqa\n    )\n",
    ],
)
@every_case("path", [PATH, "conftest.py", "shop_test.py"])
def test_form_alone_may_change(new, path):
    assert verdict(new, path=path) == ((), True)


@every_case(
    "new",
    [
        TEST.replace("==3", "==4"),
        TEST.replace("==3", "!=3"),
        TEST.replace("==3", "==3.0"),
        TEST.replace("1,2", "True,2"),
        TEST.replace("  # noqa", ""),
        TEST.replace("#the sum", "# type: ignore"),
        TEST + "def test_more():\n    pass\n",
        TEST.replace("    assert", "    return\n    assert"),
        TEST.replace("def test_total( ):", "async def test_total( ):"),
        TEST.replace("==3", "==3 #"),
        "def test_total( :\n",
        "",
    ],
)
def test_whatever_else_changes_is_refused(new):
    refused, formats = verdict(new)
    assert not formats
    assert refused


def test_other_protected_files_are_not_even_formatted():
    assert verdict(TEST.replace("( )", "()"), path="setup.py")[0]
    assert verdict(TEST.replace("( )", "()"), path="noxfile.py")[0]


def test_a_doctest_is_no_form():
    old = 'def f():\n    """>>> f()\n      1"""\n'
    patch = Patch(edits=(SpanEdit(path=PATH, start=0, end=len(old), replacement=old.replace("  1", "1")),))
    assert judge(patch, {PATH: old}, FORMATTER).refused
    assert not is_formatting(patch, {PATH: old})


def test_a_repair_may_not_even_format_a_test():
    """One that reads its own text or its line numbers would pass by that."""
    assert judge(whole(TEST.replace("1,2", "1, 2")), {PATH: TEST}, Policy()).refused


def test_what_a_project_protects_besides_is_not_formatted():
    policy = dataclasses.replace(FORMATTER, protected=(*FORMATTER.protected, f"/{PATH}"))
    assert judge(whole(TEST.replace("1,2", "1, 2")), {PATH: TEST}, policy).refused


@every_case(
    ("old", "formats"),
    [
        ("# coding: latin-1\nx = '\udce9'\n", True),
        ("x = '\udce9'\n", False),
        ("# coding: nothing\nx = 1\n", False),
        ("x = " + "(" * 5_000 + "1" + ")" * 5_000 + "\n", False),
    ],
)
def test_odd_texts_are_judged(old, formats):
    new = old.replace("x = ", "x  = ")
    patch = Patch(edits=(SpanEdit(path=PATH, start=0, end=len(old), replacement=new),))
    assert is_formatting(patch, {PATH: old}) is formats
    assert bool(judge(patch, {PATH: old}, FORMATTER).refused) is not formats
