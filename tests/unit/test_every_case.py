"""The loop that stands for parametrised tests hides no failure."""

import inspect

import pytest
from every_case import every_case


def failures_of(test, **fixtures):
    with pytest.raises(BaseExceptionGroup) as caught:
        test(**fixtures)
    return [(type(one), *one.__notes__) for one in caught.value.exceptions]


def test_each_case_runs_and_each_that_fails_is_shown():
    ran = []

    @every_case("number, text", [(1, "a"), pytest.param(2, "b", id="two"), (3, "c"), (4, "d")])
    def test(number, text):
        ran.append(text)
        assert number != 2
        if number == 3:
            raise LookupError
        if number == 4:
            with pytest.raises(ValueError, match="x"):
                pass

    assert failures_of(test) == [
        (AssertionError, "the case two"),
        (LookupError, "the case (3, 'c')"),
        (pytest.fail.Exception, "the case (4, 'd')"),
    ]
    assert ran == ["a", "b", "c", "d"]


def test_tables_multiply_and_fixtures_pass_through():
    ran = []

    @every_case("one", [1, 2])
    @every_case(("other",), [(3,), (4,)])
    def test(one, other, fixture):
        ran.append((one, other, fixture))

    assert [*inspect.signature(test).parameters] == ["fixture"]
    test(fixture="f")
    assert ran == [(1, 3, "f"), (1, 4, "f"), (2, 3, "f"), (2, 4, "f")]


@pytest.mark.parametrize(
    ("names", "cases"), [("a", []), ("b", [1]), ("a", [pytest.param(1, marks=pytest.mark.slow)])]
)
def test_what_would_be_no_test_is_refused(names, cases):
    with pytest.raises(AssertionError):
        every_case(names, cases)(lambda a: None)
