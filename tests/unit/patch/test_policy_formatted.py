"""A test file may be formatted, and nothing else be done to it."""

from every_case import every_case

from bot.domain import Patch, SpanEdit
from bot.patch.policy.files.formatted import is_formatting
from bot.patch.policy.gate import Policy, judge

PATH = "tests/test_shop.py"
TEST = "def test_total( ):\n    #the sum\n    assert total(1,2)==3  # noqa\n"


def whole(new, path=PATH):
    return Patch(edits=(SpanEdit(path=path, start=0, end=len(TEST), replacement=new),))


def verdict(new, *, path=PATH):
    sources = {path: TEST, "shop.py": "def total(a, b):\n    return a + b\n"}
    patch = whole(new, path)
    return judge(patch, sources, Policy()).refused, is_formatting(patch, sources)


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
    assert judge(patch, {PATH: old}, Policy()).refused
