"""What outdated tests would have to assert, as the smallest change of their literals."""

import dataclasses

from every_case import every_case

from bot.patch.apply import apply
from bot.search.difference.adapted import adapted
from bot.search.difference.expectation import expectation_of
from sandbox.reports import Comparison, Frame, TestResult, TestStatus

PATH = "test_m.py"


def expectation(text, actual, expected, line):
    frames = (Frame(path=PATH, line=line, function="test"),)
    compared = Comparison(operator="==", left=repr(actual), right=repr(expected))
    failed = TestResult(
        test=f"{PATH}::test", status=TestStatus.FAILED, exception="AssertionError", seconds=0.1
    )
    return expectation_of(dataclasses.replace(failed, frames=frames, comparison=compared), {PATH: text})


@every_case(
    ("old", "actual", "expected", "new"),
    [
        ("'a'", "b", "a", "'b'"),
        ('"ü"', "it's", "ü", '"it\'s"'),
        ('"a"', 'x "y"', "a", "'x \"y\"'"),
        ("[1,  2]", [1, 3], [1, 2], "[1, 3]"),
        ("None", 0, None, "0"),
        ('"a"', None, "a", "None"),
        ('(\n        "a"\n        "b"\n    )', "c", "ab", '(\n        "c"\n    )'),
    ],
)
def test_the_literal_is_replaced_and_nothing_else(old, actual, expected, new):
    text = f"def test():\n    assert f('ä') == {old}  # now\n"
    one = expectation(text, actual, expected, 2)
    patch = adapted([one, one], {PATH: text})
    assert apply(patch, {PATH: text}) == {PATH: text.replace(old, new)}


PARAMETRIZED = (
    "@mark.parametrize('x, want', [(1, 2), (2, %s)])\ndef test(x, want):\n    assert f(x) == want\n"
)


def test_a_parameter_is_changed_where_it_stands_once():
    text = PARAMETRIZED % 40
    patch = adapted([expectation(text, 5, 40, 3)], {PATH: text})
    assert apply(patch, {PATH: text}) == {PATH: PARAMETRIZED % 5}
    again = PARAMETRIZED % 2
    assert adapted([expectation(again, 5, 2, 3)], {PATH: again}) is None


def test_two_values_for_one_literal_are_no_change():
    text = "def test():\n    assert f() == 1\n"
    one = expectation(text, 2, 1, 2)
    assert adapted([one, dataclasses.replace(one, actual=3)], {PATH: text}) is None
    assert adapted([], {PATH: text}) is None
