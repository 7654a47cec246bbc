"""What is read from tests: the arguments of calls, and what a failing test waits for."""

import ast

from every_case import every_case

from bot.search.examples import UNKNOWN, Examples, value_of
from bot.search.exits import exits, is_neutral, raised
from bot.search.operators.base import Context
from bot.search.source import parse
from sandbox.reports import Frame, TestResult, TestStatus

PATH = "test_it.py"
ODD = "class Odd(Exception):\n    def __init__(self, x, why): ...\n\ndef f(x):\n"


def failed(name, line):
    frames = (Frame(path=PATH, line=line, function=name),)
    return TestResult(test=f"{PATH}::{name}", status=TestStatus.FAILED, frames=frames)


def read(code, *failing):
    found = Examples({PATH: code}, failing).all
    return [(one.callee, [value_of(part) for part in one.arguments], one.fails) for one in found]


def test_the_line_that_failed_ends_what_is_known_of_a_test():
    code = "def test_a():\n    assert f(1) == 2\n    assert f(None) == 3\n    assert f(4) == 5\n"
    assert read(code, failed("test_a", 3)) == [("f", [1], False), ("f", [None], True)]


def test_passing_tests_of_the_file_are_read_too():
    code = "def test_a():\n    f(1)\n\nclass TestB:\n    def test_b(self):\n        f(2)\n"
    assert read(code, failed("test_a", 2)) == [("f", [1], True), ("f", [2], False)]


def test_a_call_fails_where_the_failing_line_reads_its_result():
    code = "def test_a():\n    one = f(1)\n    two = f('2')\n    assert one.size\n    assert two.size == 2\n"
    assert read(code, failed("test_a", 5)) == [("f", [1], False), ("f", ["2"], True)]


def test_names_stand_for_the_literals_that_they_were_bound_to():
    code = "def test_a():\n    given = [1]\n    got = f(given, key='x')\n    assert got == []\n"
    (found,) = Examples({PATH: code}, [failed("test_a", 4)]).all
    assert (value_of(found.arguments[0]), value_of(found.keywords["key"])) == ([1], "x")
    assert (found.callee, value_of(found.answer), found.fails) == ("f", [], True)


def test_arguments_from_a_list_and_names_of_the_module():
    body = "    f(*GIVEN)\n    f([TEXT, g()], TEXT)\n    f(*g())\n"
    code = f"GIVEN = [1, None]\nTEXT = 'a'\n\ndef test_a():\n{body}"
    first, second = [call for call in read(code, failed("test_a", 7)) if call[0] == "f"]
    assert (first, second[1]) == (("f", [1, None], False), [[UNKNOWN, UNKNOWN], "a"])


@every_case("name", ["test_a[None-]", "test_a[own]"])
def test_the_row_of_a_parametrized_test_that_failed(name):
    code = (
        "import pytest\n"
        '@pytest.mark.parametrize("given, wanted", [("x", "X"), (None, ""),\n'
        '    pytest.param(0, 1, id="own")])\n'
        "def test_a(given, wanted):\n"
        "    assert f(given) == wanted\n"
    )
    calls = [one for one in Examples({PATH: code}, [failed(name, 5)]).all if one.callee == "f"]
    fails = {repr(value_of(one.arguments[0])): one.fails for one in calls}
    assert fails == {"'x'": False, "None": name == "test_a[None-]", "0": name == "test_a[own]"}


@every_case(
    ("statement", "raises", "match"),
    [
        ("with pytest.raises(ValueError, match='too small'):\n        f(1)", "ValueError", "too small"),
        ("with self.assertRaisesRegex(m.Odd, 'odd'):\n        f(1)", "Odd", "odd"),
        ("self.assertRaises(KeyError, f, 1)", "KeyError", ""),
        (
            "with pytest.raises(KeyError) as caught:\n        f(1)\n    assert str(caught.value) == 'no x'",
            "KeyError",
            "no x",
        ),
    ],
)
def test_the_exception_that_a_test_waits_for(statement, raises, match):
    code = f"def test_a(self):\n    {statement}\n"
    examples = Examples({PATH: code}, [failed("test_a", 2)])
    (found,) = examples.of("f")
    assert (found.raises, found.match, found.fails) == (raises, match, True)
    assert [value_of(part) for part in found.arguments] == [1]


@every_case(
    ("statement", "answer"),
    [
        ("assert f(1) is None", None),
        ("assert '' == f(1)", ""),
        ("assert not f(1)", False),
        ("assert f(1)", True),
        ("self.assertEqual(f(1), [])", []),
        ("self.assertIsNone(f(1))", None),
        ("assert f(1) > 2", UNKNOWN),
        ("f(1)", UNKNOWN),
    ],
)
def test_the_answer_that_a_test_waits_for(statement, answer):
    (found,) = Examples({PATH: f"def test_a(self):\n    {statement}\n"}, [failed("test_a", 2)]).of("f")
    assert value_of(found.answer) == answer


@every_case(
    ("code", "result"),
    [
        ("def test_a(:\n", failed("test_a", 1)),
        ("def test_a():\n    f(1)\n", TestResult(test=f"{PATH}::test_a", status=TestStatus.FAILED)),
    ],
)
def test_nothing_is_read_of_a_file_that_does_not_parse_or_a_test_without_a_frame(code, result):
    assert not Examples({PATH: code}, [result]).all
    assert not Examples().all


@every_case("value", [None, False, True, 0, "", [], {}, ()])
def test_values_that_say_nothing_particular(value):
    assert is_neutral(value)


@every_case("value", [1, "a", [0], UNKNOWN])
def test_particular_values_are_not_written_into_guards(value):
    assert not is_neutral(value)


def place(code, text, examples=None):
    source = parse("m.py", code)
    context = Context(source, examples=examples)
    return next(one for one in source.statements if context.code(one) == text), context


def test_a_guard_in_a_loop_goes_on_with_the_next_round():
    code = "def f(xs):\n    for x in xs:\n        use(x)\n    return []\n"
    assert exits(*place(code, "use(x)")) == [("continue", 0.95), ("return []", 0.8)]


def test_a_generator_ends_without_a_value():
    code = "def f(xs):\n    first = xs[0]\n    yield first\n"
    assert exits(*place(code, "first = xs[0]")) == [("return", 0.8)]


def test_a_particular_answer_counts_where_the_function_gives_it_elsewhere():
    test = "def test_a():\n    assert f(None) == 'none'\n"
    examples = Examples({PATH: test}, [failed("test_a", 2)])
    code = "def f(x):\n    if x == 0:\n        return 'none'\n    return x.name\n"
    assert exits(*place(code, "return x.name", examples))[0] == ("return 'none'", 1.0)
    assert exits(*place("def f(x):\n    return x.name\n", "return x.name", examples))[0] == (
        "return None",
        0.75,
    )


def test_an_exception_is_raised_as_elsewhere_with_the_words_of_the_test():
    code = f"{ODD}    if x:\n        raise Odd(x, 'a')\n    g(x)\n"
    statement, context = place(code, "g(x)")
    assert list(raised("Odd", "is odd", statement, context)) == ['raise Odd(x, "is odd")']
    assert list(raised("Unheard", "", statement, context)) == []
    assert list(raised("ValueError", r"a\.b (c|d)", statement, context)) == ["raise ValueError"]
    # One that takes more than a message is not made up.
    assert list(raised("Odd", "is odd", *place(f"{ODD}    g(x)\n", "g(x)"))) == []


def test_a_literal_that_nests_too_deeply_is_unknown():
    assert value_of(ast.parse("-" * 500 + "1", mode="eval").body) is UNKNOWN
