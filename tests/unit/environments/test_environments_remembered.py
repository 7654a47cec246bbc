"""Which environment is remembered, and which failures newer releases make."""

import pytest
from chooser_support import GOOD, LOG, NOTHING, PLAIN, PYTEST, A, B, released, report, result, suite, way
from every_case import every_case
from fakes.environments import prepared

from bot.environments.memory import Memory, Remembered

OLDER = "a, with the releases of 2025-12-03"
SEEN = suite(9, "x::1")


@pytest.mark.parametrize(
    ("by_command", "by_pytest", "text", "asked"),
    [
        pytest.param(SEEN, None, "pytest tests", 1, id="its-test-fails"),
        pytest.param(suite(9), SEEN, "", 2, id="pytest-shows-it"),
        pytest.param(NOTHING, GOOD, "", 2, id="only-pytest-runs-any"),
        pytest.param(GOOD, GOOD, "pytest tests", 2, id="neither"),
        pytest.param(GOOD, NOTHING, "pytest tests", 2, id="alone"),
    ],
)
def test_of_two_commands_the_one_that_shows_the_logs_failure_is_taken(
    chosen, by_command, by_pytest, text, asked
):
    chosen.reports = {("a", "pytest tests"): by_command, ("a", ""): by_pytest}
    found = chosen(A, ways=(LOG, PLAIN))
    assert found.way.text == text
    assert len(chosen.sandboxes.asked) == asked
    assert chosen.sandboxes.open == 1
    assert "pytest tests (as in ci.yml)" in chosen.said


def test_without_a_log_the_first_command_by_which_tests_run_is_enough(chosen):
    chosen.reports = {("a", "pytest x"): NOTHING, ("a", "pytest y"): GOOD}
    assert chosen(A, ways=(way("pytest x"), way("pytest y"), PYTEST)).way.text == "pytest y"


def test_a_plan_in_which_the_logs_tests_do_not_fail_gives_way_to_one_in_which_they_do(chosen):
    chosen.reports = {"a": suite(30), "b": SEEN}
    assert chosen(A, B, ways=(PLAIN,)).environment.name == "b"


def test_a_choice_is_remembered_and_nothing_is_run_the_next_time(chosen):
    chosen.runs = [suite(5, broken=15), suite(7, missing=13), GOOD, GOOD]
    chosen(A, B).held.close()
    assert chosen.built == [("a", ()), ("b", ()), ("b", ("trio",))]
    again = chosen(A, B)
    assert chosen.sandboxes.asked == []
    assert chosen.built == [("b", ("trio",))]
    assert (again.report, again.testbed, again.good) == (None, None, True)
    again.held.close()
    with again.factory.open() as testbed:
        assert testbed is chosen.sandboxes.all[-1].opened[0]


def keep(bench, *plans, **choice):
    """Let the choice ``b`` among ``plans`` be remembered; where it is kept."""
    key = Memory.key(plans, (PYTEST,), "fake")
    bench.memory.keep(key, Remembered(**{"plan": "b", "added": (), "text": "", **choice}))
    return bench.memory.directory / f"{key}.json"


@pytest.mark.parametrize("choice", [{"plan": "gone"}, {"text": "make test"}])
def test_a_plan_or_a_command_that_is_gone_is_chosen_anew(chosen, choice):
    keep(chosen, A, B, **choice)
    chosen.reports = {"a": GOOD}
    assert chosen(A, B).report == GOOD


@every_case("data", [b"", b"{", b"[]", b'{"plan": "b"}', b'{"plan": 1, "added": 2}', b"\xff"])
def test_a_damaged_memory_is_none(chosen, data):
    keep(chosen, A, B).write_bytes(data)
    chosen.reports = {"a": GOOD}
    assert chosen(A, B).report == GOOD


def test_what_is_remembered_is_built_and_nothing_else_or_chosen_anew_where_it_cannot_be(chosen):
    keep(chosen, A, B)
    assert chosen(A, B).environment.name == "b"
    assert chosen.built == [("b", ())]
    chosen.reports = {"a": GOOD}
    assert chosen(A, B, fails={"b": "yanked"}).environment.name == "a"


@pytest.mark.parametrize(
    ("reports", "fails"), [({"a": NOTHING, "b": NOTHING}, {}), ({"b": GOOD}, {"a": "the index is gone"})]
)
def test_what_may_be_better_tomorrow_is_not_remembered(chosen, reports, fails):
    chosen.reports = reports
    chosen(A, B, fails=fails).held.close()
    assert not list(chosen.memory.directory.glob("*"))


def test_in_a_fixed_environment_only_the_command_is_chosen(chosen):
    chosen.reports = {("host", "pytest tests"): NOTHING, ("host", ""): GOOD}
    found = chosen(A, fixed=prepared("host"), ways=(way("pytest tests"), PYTEST))
    assert (found.way.text, chosen.built) == ("", [])
    assert chosen.sandboxes.open == 1


def test_a_run_in_a_fixed_environment_is_resumed_with_its_command_or_with_the_first(chosen):
    chosen.reports = {("host", "pytest tests"): NOTHING, ("host", ""): GOOD}
    given = {"fixed": prepared("host"), "ways": (way("pytest tests"), PYTEST)}
    unbegun = chosen(**given, resume=True)
    assert (unbegun.way.text, chosen.sandboxes.asked) == ("pytest tests", [])
    chosen(**given).held.close()
    again = chosen(**given, resume=True)
    assert (again.way.text, again.report, chosen.sandboxes.asked) == ("", None, [])


def test_what_passes_with_older_releases_is_set_apart_and_chosen_anew_the_next_time(chosen):
    old = {"attrs": "24.1.0", "attr": "1.0", "six": "1.0"}
    new = {"attrs": "25.3.0", "attr": "2.0", "six": "1.0"}
    chosen.reports = {"a": released(20), OLDER: report(result("x::1"))}
    found = chosen(A, installed={"a": new, OLDER: old})
    ((test, why),) = found.apart
    assert test == "x::1"
    assert "attr 1.0 became 2.0, raised in attr/_make.py:12; attrs 24.1.0 became 25.3.0" in why
    assert chosen.environments.built[-1].as_of.startswith("2025-12-03")
    assert chosen.sandboxes.open == 1
    assert not list(chosen.memory.directory.glob("*")), "what is set apart is known by this run only"


@pytest.mark.parametrize("fails", [{}, {OLDER: "too old"}])
def test_what_fails_with_older_releases_too_or_where_there_are_none_is_not_set_apart(chosen, fails):
    chosen.reports = {"a": released(20), OLDER: suite(0, "x::1")}
    assert chosen(A, fails=fails).apart == ()
    assert ("not with these: too old" in chosen.said) is bool(fails)


@pytest.mark.parametrize(
    ("exception", "message"),
    [("RuffError", "unsorted"), ("CalledProcessError", "Command '['python', '-m', 'pip', 'install', 'x']'")],
)
def test_what_a_linter_or_the_network_makes_fail_is_not_run_with_older_releases(chosen, exception, message):
    chosen.reports = {"a": released(20, exception, message), OLDER: report(result("x::1"))}
    assert chosen(A).apart == ()
    assert chosen.built == [("a", ())]
