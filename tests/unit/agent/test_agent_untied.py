"""Failing tests that no source line can be tied to are set apart where others have some."""

from dataclasses import replace

from agent_support import failed_result
from every_case import every_case

from bot.agent.baseline.untied import UNTIED, doubts_of, untied, without
from bot.domain import Baseline
from sandbox.reports import Comparison, Frame, TestStatus

TEST, OTHER = "tests/test_cart.py::test_total", "tests/test_free.py"
SOURCES = {
    "cart.py": "",
    "tests/test_cart.py": "import cart\n",
    "tests/test_free.py": "import cart\nassert 0\n",
    "tests/test_command.py": "import subprocess\n",
}
TIED = replace(failed_result(TEST, exception="AssertionError", message=""), lines={"cart.py": (1,)})


def fails(test=OTHER, exception="AssertionError", status=TestStatus.FAILED, **fields):
    return replace(failed_result(test, status, exception=exception, message="assert 0"), **fields)


def found(*failing, traced=None):
    names = frozenset(one.test for one in failing) if traced is None else traced
    return untied(failing, names, SOURCES, lambda path: path == "cart.py")


@every_case("exception", ["AssertionError", "SystemExit", "pytest.PytestRemovedIn10Warning"])
def test_a_test_without_a_line_is_set_apart_beside_one_that_has_some(exception):
    assert found(
        TIED, fails(exception=exception, frames=(Frame(path="tests/test_free.py", line=2, function="f"),))
    ) == (OTHER,)
    assert found(TIED, fails(lines={"tests/test_free.py": (2,)})) == (OTHER,)


@every_case(
    "other",
    [
        fails(lines={"cart.py": (1,)}),
        fails(frames=(Frame(path="cart.py", line=1, function="f"),)),
        fails(comparison=Comparison(operator="==", left="1", right="2")),  # of a constant, maybe
        fails(exception="ImportError"),
        fails(status=TestStatus.TIMEOUT),
        fails("tests/test_command.py::test_it"),
        fails("tests/gone.py::test_it"),
    ],
)
def test_what_may_be_about_the_code_stays(other):
    assert found(TIED, other) == ()


def test_where_nothing_is_known_all_stay():
    assert found(fails(), fails("tests/test_cart.py::test_x")) == ()
    assert found(TIED, fails(), traced=frozenset({TEST})) == ()


def test_what_is_set_apart_is_named_and_doubted():
    baseline = Baseline(failing=(TIED, fails()))
    kept = without(baseline, (OTHER,))
    assert (kept.failing, kept.apart) == ((TIED,), ((OTHER, UNTIED),))
    assert "a failing test was set apart" in doubts_of(kept)[0]
    assert doubts_of(baseline) == ()
    assert without(kept, (OTHER,)) == kept
    assert without(baseline, (OTHER, TEST)) == baseline
