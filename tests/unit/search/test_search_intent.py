"""When a change means what a failing test says is wrong: another assertion or the documentation says so."""

import ast

from every_case import every_case

from bot.search.difference.expectation import expectation_of
from bot.search.difference.intent import (
    added_docstring,
    asserted_alike,
    asserted_anew,
    differences,
    documented,
    enclosing,
    exchanged_alike,
)
from sandbox.reports import Comparison, Frame, TestResult, TestStatus


def function(text):
    return ast.parse(text).body[-1]


def expectation(text, left, right, *, line=2, message="", operator="=="):
    """What the test in ``text`` expects, which failed at ``line`` with these sides."""
    sides = Comparison(operator=operator, left=left, right=right) if left else None
    result = TestResult(
        test="test_m.py::test_a",
        status=TestStatus.FAILED,
        exception="AssertionError",
        message=message,
        comparison=sides,
        frames=(Frame(path="test_m.py", line=line, function="test_a"),),
    )
    return expectation_of(result, {"test_m.py": text})


PLAIN = "def test_a():\n    assert f(1) == 'Hello a'\n"


@every_case(
    ("text", "left", "right", "line"),
    [
        (PLAIN, "'Hi a'", "'Hello a'", 2),
        ("def test_a():\n    assert 'Hello a' == f(1)\n", "'Hello a'", "'Hi a'", 2),
        ("def test_a():\n    got = f(1)\n    assert got == 'Hello a'\n", "'Hi a'", "'Hello a'", 3),
        (
            "@mark('n, wanted', [(1, 'Hello a')])\ndef test_a(n, wanted):\n    assert f(n) == wanted\n",
            "'Hi a'",
            "'Hello a'",
            3,
        ),
        ("class T(TestCase):\n    def test_a(self):\n        self.assertEqual(f(1), 'Hello a')\n", "", "", 3),
    ],
)
def test_an_expectation_is_a_literal_that_the_test_writes_out(text, left, right, line):
    found = expectation(text, left, right, line=line, message="'Hi a' != 'Hello a'\n- Hi a\n+ Hello a\n")
    assert (found.expected, found.actual, found.line) == ("Hello a", "Hi a", line)
    assert ast.unparse(found.subject).startswith("f(")


@every_case(
    ("text", "left", "right", "operator"),
    [
        ("def test_a():\n    assert f(1) == g(1)\n", "1", "2", "=="),
        ("def test_a():\n    assert f(1) < 2\n", "3", "2", "<"),
        ("def test_a():\n    assert f(1) == 2\n", "<object>", "2", "=="),
        ("def test_a():\n    assert f(1)\n", "", "", ""),
        ("def test_a(x):\n    assert f(1) == x\n", "1", "2", "=="),
        ("def broken(:\n", "1", "2", "=="),
    ],
)
def test_what_else_fails_expects_nothing_that_is_known(text, left, right, operator):
    assert expectation(text, left, right, operator=operator) is None


def test_a_failure_inside_the_project_expects_nothing():
    result = TestResult(
        test="test_m.py::test_a",
        status=TestStatus.FAILED,
        exception="AssertionError",
        comparison=Comparison(operator="==", left="1", right="2"),
        frames=(Frame(path="m.py", line=1, function="f"),),
    )
    assert expectation_of(result, {"test_m.py": PLAIN, "m.py": "assert f() == 2\n"}) is None


WANTED = expectation(PLAIN, "'Hi a'", "'Hello a'")


@every_case(
    ("test", "anew"),
    [
        ("def t():\n    assert f(1) == 'Hi a'\n", True),
        ("def t():\n    assert 'Hi a' == f(1)\n", True),
        ("def t():\n    assert f(2) == 'Hi a'\n", False),
        ("def t():\n    assert f(1) == 'Hello a'\n", False),
        ("def t():\n    f = g\n    assert f(1) == 'Hi a'\n", False),
        ("def t(f):\n    assert f(1) == 'Hi a'\n", False),
        ("def t():\n    assert f(1) != 'Hi a'\n", False),
    ],
)
def test_another_assertion_of_the_same_expression(test, anew):
    assert asserted_anew(WANTED, [function(test)]) is anew


@every_case(
    ("test", "alike"),
    [
        ("def t():\n    assert f(2) == 'Hi b'\n", True),
        ("def t():\n    got = f(2)\n    assert got == 'Hi b'\n", True),
        ("def t():\n    assert g(2) == 'Hi b'\n", False),
        ("def t():\n    assert f(2) == 'Hip b'\n", False),
        ("def t():\n    assert f(2) == 'Hi or Hello b'\n", False),
    ],
)
def test_another_call_of_the_same_function(test, alike):
    assert asserted_alike(WANTED, function(test)) is alike


def test_numbers_of_another_call_say_nothing():
    wanted = expectation("def test_a():\n    assert f(1) == 10\n", "20", "10")
    assert not asserted_alike(wanted, function("def t():\n    assert f(2) == 20\n"))


@every_case(("text", "alike"), [("Configured twice.", True), ("Configured", False), ("short", False)])
def test_the_very_same_long_text_is_asserted_of_another_expression(text, alike):
    now = "short" if text == "short" else "Configured twice."
    wanted = expectation(
        "def test_a():\n    assert 'Repeated.' == f(1)[0].args[0]\n", "'Repeated.'", repr(now)
    )
    assert wanted.actual == now
    assert asserted_alike(wanted, function(f"def t():\n    assert {text!r} == warned.args[0]\n")) is alike


OTHER = "def t():\n    assert g('x') == 'Hello, x' and h() == 3\n"


@every_case(
    ("new", "alike"),
    [
        (OTHER.replace("Hello", "Hi"), True),
        (OTHER.replace("Hello", "Ho"), False),
        (OTHER.replace("3", "4"), False),
        (OTHER, False),
        (OTHER.replace("Hello", "Hi").replace("h()", "k()"), False),
    ],
)
def test_another_test_whose_literals_were_exchanged_alike(new, alike):
    assert exchanged_alike(WANTED, function(OTHER), function(new)) is alike


@every_case(
    ("expected", "actual", "found"),
    [
        ([1, 2, 3], [1, 5, 3], ((2, 5),)),
        ({"a": (1, "x")}, {"a": (1, "y")}, (("x", "y"),)),
        ([1], [1, 2], (([1], [1, 2]),)),
        (1, True, ((1, True),)),
        (1, 1, ()),
    ],
)
def test_the_leaves_in_which_two_values_differ(expected, actual, found):
    assert differences(expected, actual) == found


LONG = expectation(PLAIN, "'Good day a'", "'Hello a'")


@every_case(
    ("lines", "found"),
    [
        (["``f`` says Good day."], True),
        (["f: Good day"], True),
        (["``g`` says Good day."], False),
        (["``f`` changed.", "Good day!"], False),
        (["``f`` says Good days."], False),
        ([], False),
    ],
)
def test_documentation_names_the_function_and_the_value(lines, found):
    assert documented(LONG, lines, ("f",)) is found


@every_case(("left", "right"), [("1", "0"), ("''", "'Hello a'"), ("True", "False")])
def test_values_that_stand_everywhere_are_not_recognised(left, right):
    text = PLAIN.replace("'Hello a'", right)
    assert not documented(expectation(text, left, right), ["f: 1 True Hello a"], ("f",))


def test_the_names_around_a_line():
    text = "class A:\n    def b(self):\n        def c():\n            return 1\n\nx = 1\n"
    assert enclosing(text, 4) == ("c", "b", "A")
    assert enclosing(text, 6) == ()


def test_the_new_lines_of_a_docstring():
    old = 'def f():\n    """Say it.\n\n    As before.\n    """\n'
    assert added_docstring(old, old.replace("As before", "Good day"), "f") == ("f: Good day.",)
    assert added_docstring(old, old, "f") == ()
