"""Which environment and command are chosen, how many runs that costs, and that no sandbox stays open."""

import dataclasses

import pytest
from chooser_support import GOOD, LOG, NOTHING, PLAIN, PYTEST, A, B, C, failed, released, report, suite, way

from bot.environments.chooser import ROUNDS
from sandbox.errors import EnvironmentBuildFailed, RunnerNotLoaded, SandboxLost

MANY = tuple(f"x::{n}" for n in range(9))


def test_a_good_first_plan_costs_one_run_which_is_handed_on(chosen):
    chosen.reports = {"a": GOOD}
    found = chosen(A, B)
    assert (found.environment.name, found.report, found.good) == ("a", GOOD, True)
    assert chosen.sandboxes.asked == [("a", "")]
    factory = found.factory
    assert (factory.name, factory.isolated) == ("fake", True)
    with factory.open() as testbed:
        assert testbed is found.testbed
    assert chosen.sandboxes.open == 1, "whoever opened it closes it"
    with factory.open() as another:
        assert another is not found.testbed
    found.held.close()
    assert chosen.sandboxes.open == 0


@pytest.mark.parametrize(
    ("reports", "taken", "asked"),
    [
        pytest.param({"a": suite(5, broken=15), "b": GOOD}, "b", "ab", id="dependencies-fail"),
        pytest.param({"a": NOTHING, "b": GOOD}, "b", "ab", id="nothing-ran"),
        pytest.param({"a": suite(9, broken=1), "b": suite(5, broken=5)}, "a", "ab", id="first-better"),
        pytest.param({"a": suite(5, broken=5), "b": suite(5, broken=5)}, "a", "ab", id="alike"),
        pytest.param({"a": suite(5, broken=5), "b": suite(7, broken=3)}, "b", "ab", id="second-better"),
        pytest.param({"a": suite(5, *MANY), "b": GOOD}, "b", "ab", id="too-many-fail"),
        pytest.param({"a": suite(20, problem="?", exit_status=3), "b": GOOD}, "b", "ab", id="it-broke-off"),
        pytest.param({"a": suite(17, *MANY[:3]), "b": GOOD}, "a", "a", id="a-fault-of-the-code"),
        pytest.param({"a": NOTHING, "b": NOTHING}, "a", "ab", id="no-test-anywhere"),
    ],
)
def test_the_best_is_kept_and_the_others_sandboxes_are_closed(chosen, reports, taken, asked):
    chosen.reports = reports
    found = chosen(A, B)
    assert found.environment.name == taken
    assert "".join(name for name, _ in chosen.sandboxes.asked) == asked
    assert chosen.sandboxes.open == 1
    found.held.close()
    assert chosen.sandboxes.open == 0


def test_what_is_taken_of_several_is_said(chosen):
    chosen.reports = {"a": suite(0, problem="it broke off"), "b": suite(5, broken=5), "c": GOOD}
    chosen(A, B, C).held.close()
    assert "a: it broke off" in chosen.said
    assert "b: 5 tests pass, 5 fail, 5 of them for want of a package" in chosen.said
    assert "taken: c, 20 tests pass, 0 fail" in chosen.said


@pytest.mark.parametrize(
    ("runs", "fails", "seconds", "why"),
    [
        ([GOOD], {"a": "six cannot be had"}, 1000.0, "six cannot be had"),
        ([GOOD], {"a": "six cannot be had"}, -1.0, "six cannot be had"),  # whatever the time
        ([RunnerNotLoaded("pytest cannot be loaded"), GOOD], {}, 1000.0, "pytest cannot be loaded"),
    ],
)
def test_a_plan_that_cannot_be_built_gives_way_and_is_named(chosen, runs, fails, seconds, why):
    chosen.runs, chosen.seconds = list(runs), seconds
    assert chosen(A, B, fails=fails).environment.name == "b"
    assert f"not a: {why}" in chosen.said
    assert chosen.sandboxes.open == 1


def test_what_a_command_needs_is_installed_where_nothing_brings_it(chosen):
    chosen.reports = {"a": NOTHING, "b": GOOD}
    one = dataclasses.replace(way("python manage.py test"), needs=("six",))
    chosen(A, B, ways=(one,))
    assert chosen.built == [("a", ("six",)), ("b", ())]


def test_where_no_plan_can_be_built_the_first_reason_is_given(chosen):
    with pytest.raises(EnvironmentBuildFailed, match="six cannot be had"):
        chosen(A, B, fails={"a": "six cannot be had", "b": "nor this"})
    with pytest.raises(EnvironmentBuildFailed, match="no Python was found"):
        chosen()


def test_no_further_plan_is_tried_when_the_time_for_that_is_over(chosen):
    chosen.reports, chosen.seconds = {"a": suite(1, *MANY)}, -1.0
    assert chosen(A, B).environment.name == "a"
    assert "no further plan: the time for that is over" in chosen.said


# A file that cannot be imported hides all of its tests.
LOST = failed("tests/test_async.py", exception="ModuleNotFoundError", message="No module named 'trio'")
WORSE = suite(4, missing=16, module="yaml")


@pytest.mark.parametrize(
    ("runs", "added", "passing"),
    [
        pytest.param(
            [suite(5, missing=15), suite(10, missing=10, module="yaml"), GOOD],
            [(), ("trio",), ("trio", "PyYAML")],
            20,
            id="in-rounds-while-more-tests-pass",
        ),
        pytest.param([suite(5, missing=15), GOOD], [(), ("trio",)], 20, id="before-the-next-plan"),
        pytest.param([report(*suite(500).results, LOST), suite(600)], [(), ("trio",)], 600, id="one-file"),
        pytest.param([suite(500, missing=1)], [()], 500, id="not-for-one-test"),
    ],
)
def test_what_a_run_misses_is_added_before_another_plan_is_tried(chosen, runs, added, passing):
    chosen.runs = runs
    found = chosen(A, B)
    assert found.judgement.passing == passing
    assert chosen.built == [("a", one) for one in added]
    assert chosen.sandboxes.open == 1
    if len(added) > 1:
        assert f"once more, with what is missing: {added[-1][-1]}" in chosen.said
        assert f"taken: a, {passing} tests pass, 0 fail" in chosen.said


def test_what_the_budget_cut_short_is_chosen_anew_the_next_time(chosen):
    chosen.reports = {"a": suite(5, broken=15), "b": GOOD}
    chosen.budget = 1e-9  # spent by the first run
    assert chosen(A, B).environment.name == "a"
    chosen.budget = 0.0
    assert chosen(A, B).environment.name == "b"


def test_packages_that_help_nothing_are_not_kept(chosen):
    chosen.runs = [suite(5, missing=15), WORSE, WORSE]
    found = chosen(A)
    assert found.judgement.passing == 5
    assert len(chosen.built) == 3, "what is missing still is not added again"
    assert chosen.sandboxes.open == 1


def test_the_rounds_have_an_end(chosen):
    chosen.runs = [suite(5, missing=15, module=f"module{n}") for n in range(2 * ROUNDS)]
    chosen(A).held.close()
    assert len(chosen.built) == 1 + ROUNDS
    assert chosen.sandboxes.open == 0


def test_packages_that_cannot_be_installed_leave_the_choice_as_it_was(chosen):
    def build(wanted):
        if wanted.added:
            raise EnvironmentBuildFailed("there is no trio")

    chosen.reports = {"a": suite(5, missing=15)}
    found = chosen(A, on_build=build)
    assert (found.environment.name, found.judgement.passing) == ("a", 5)
    assert "not with these: there is no trio" in chosen.said


def test_the_projects_own_modules_are_never_fetched(chosen):
    chosen.reports, chosen.own = {"a": suite(5, missing=15, module="shop")}, frozenset({"shop"})
    chosen(A)
    assert chosen.built == [("a", ())]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SandboxLost("it died")])
@pytest.mark.parametrize("at", ["first run", "second plan", "second command", "round", "older", "build"])
def test_whatever_ends_a_choice_closes_every_sandbox(chosen, at, error):
    def build(wanted):
        if at == "build" and wanted.name == "b":
            raise error

    chosen.runs = {
        "first run": [error],
        "second plan": [suite(5, broken=15), error],
        "second command": [suite(9), error],
        "round": [suite(5, missing=15), error],
        "older": [released(20), error],
        "build": [suite(5, broken=15)],
    }[at]
    plans = (A, B) if at in {"second plan", "build"} else (A,)
    ways = (LOG, PLAIN) if at == "second command" else (PYTEST,)
    with pytest.raises(type(error)):
        chosen(*plans, ways=ways, on_build=build)
    assert not chosen.runs
    assert chosen.sandboxes.all
    assert chosen.sandboxes.open == 0
    assert not list(chosen.memory.directory.glob("*"))


def test_a_run_that_cannot_be_judged_is_counted(chosen, monkeypatch, outlived):
    def broken(*_given, **_more):
        raise LookupError("a defect of ours")

    monkeypatch.setattr("bot.environments.chooser.judge", broken)
    chosen.reports = {"a": GOOD}
    found = chosen(A)
    assert found.judgement.ran
    assert not found.judgement.good
    assert {defect.part for defect in outlived.found} == {"the judgement of an environment"}
