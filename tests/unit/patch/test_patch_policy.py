"""The gate refuses what repairs must not do, and lets ordinary repairs pass."""

from every_case import every_case
from policy_support import OLD, added, verdict
from sections import GOLDEN

from bot.domain import Patch, SpanEdit
from bot.patch.policy.gate import Policy, judge, syntax_problem


def test_a_long_line_is_refused_before_it_is_read():
    new = OLD + f"x = [{'1,' * 10_000}]\n"
    (why,) = verdict("pkg/code.py", OLD, new)
    assert why == "the changed lines have 20007 characters, at most 20000 are allowed"


@every_case("body", (GOLDEN / "misbehaviour.txt").read_text("utf-8").split("# and\n"))
def test_new_misbehaviour_is_refused(body):
    assert added(body)
    # what the file did before, it may do again
    assert verdict("pkg/code.py", OLD + body, OLD.replace("x - 1", "x + 1") + body) == ()


@every_case("body", (GOLDEN / "ordinary_additions.txt").read_text("utf-8").split("# and\n"))
def test_ordinary_additions_are_allowed(body):
    assert added(body) == ()


@every_case(
    "text",
    [
        *("def f(:\n", "a = '\0'\n", "x = " + "(" * 5000, "x = " + "-" * 200_000 + "1\n"),
        *("# coding: nonsense\na = 1\n", "x = '\ud800'\n", "x = '\udcff'\n", "\ufeff\ufeff"),
        "x = " + "9" * 5000 + "\n",
    ],
)
def test_text_that_does_not_parse_is_a_one_line_reason(text):
    problem = syntax_problem("a.py", text)
    assert problem is not None
    assert problem.startswith("syntax error in a.py line ")
    assert "\n" not in problem
    assert verdict("a.py", "", text)


@every_case(
    "edits",
    [
        [],
        [("a.py", -1, 99, "")],
        [("a.py", 0, 3, ""), ("a.py", 1, 2, "")],
        [("a.py", 0, 0, "\ud800")],
        [("b.py", 5, 5, "a")],
        [("a.txt", 0, 0, "\0")],
    ],
)
def test_broken_patches_are_reasons_not_exceptions(edits):
    made = (SpanEdit(path=path, start=start, end=end, replacement=new) for path, start, end, new in edits)
    patch = Patch(edits=tuple(made))
    assert judge(patch, {"a.py": "a = 1\n", "a.txt": ""}, Policy()).refused
