"""Which environment and command are chosen, how many runs that costs, and that no sandbox stays open."""

import dataclasses
from datetime import UTC, datetime

import pytest
from fakes.environments import FakeEnvironments, Sandboxes, plan, prepared
from fakes.progress import FakeProgress
from fakes.testbed import FakeTestbed, ScriptedTestbed

from bot.environments.chooser import ROUNDS, Chooser
from bot.environments.memory import Memory, Remembered
from bot.environments.ways import Way
from sandbox.command import PytestCommand
from sandbox.errors import EnvironmentBuildFailed, RunnerNotLoaded, SandboxLost
from sandbox.reports import TestReport, TestResult, TestStatus
from sandbox.resolve import Resolved

NOW = datetime(2026, 6, 1, tzinfo=UTC)
OLDER = "a, with the releases of 2025-12-03"
PYTEST = Way(text="", source="pytest itself", command=Resolved(command=PytestCommand()))
A, B, C = plan("a", "attrs"), plan("b", "six"), plan("c", "trio")
MANY = tuple(f"x::{n}" for n in range(9))


def way(text, *tests):
    """A command that somebody named, for the tests of a log."""
    return dataclasses.replace(PYTEST, text=text, source="as in ci.yml", tests=tests)


def result(test, status=TestStatus.PASSED, **more):
    return TestResult(test=test, status=status, seconds=0.0, **more)


def failed(test, **more):
    return result(test, TestStatus.FAILED, **more)


def report(*results, complete=True, problem=""):
    failed = any(one.status.is_failure for one in results)
    status = 1 if failed else 0 if results else 5
    return TestReport(results=results, complete=complete, exit_status=status, seconds=1.0, problem=problem)


def suite(passing, *failing, missing=0, module="trio", broken=0, problem="", exit_status=None):
    """A run in which so many pass, these fail, so many miss a module, and so many another version."""
    conflict = "cannot import name 'x' from 'attr' (/v/site-packages/attr/__init__.py)"
    results = [result(f"t.py::test_{n}") for n in range(passing)]
    results += [failed(test, exception="ValueError") for test in failing]
    results += [
        failed(
            f"t.py::test_missing_{n}", exception="ModuleNotFoundError", message=f"No module named '{module}'"
        )
        for n in range(missing)
    ]
    results += [failed(f"t.py::test_b_{n}", exception="ImportError", message=conflict) for n in range(broken)]
    found = report(*results, complete=not problem, problem=problem)
    return found if exit_status is None else dataclasses.replace(found, exit_status=exit_status)


def released(passing):
    """A failure that an installed package raises, in a suite whose other tests pass."""
    raised = failed("x::1", exception="TypeError", foreign="attr/_make.py:12")
    return report(*suite(passing).results, raised)


def ends_with(error):
    """A testbed whose first run raises ``error``."""

    def end(_number, _run):
        raise error

    return FakeTestbed({}, before_run=end)


GOOD, NOTHING = suite(20), suite(0, problem="no test was collected")


class Bench:
    """Chooses among plans by ``reports``, by plan, or by plan and command; ``runs`` gives them in order."""

    def __init__(self, directory):
        self.memory, self.progress = Memory(directory=directory / "choices"), FakeProgress()
        self.environments = FakeEnvironments()
        self.reports, self.runs, self.own = {}, [], frozenset()
        self.seconds, self.budget = 1000.0, 0.0
        self.sandboxes = Sandboxes(self._testbed)

    def _testbed(self, environment, text):
        if self.runs:
            found = self.runs.pop(0)
        else:
            found = self.reports.get((environment.name, text)) or self.reports[environment.name]
        return ends_with(found) if isinstance(found, BaseException) else ScriptedTestbed(found)

    def __call__(self, *plans, ways=(PYTEST,), resume=False, **environments):
        self.environments = dataclasses.replace(self.environments, plans=plans, built=[], **environments)
        self.sandboxes.asked.clear()
        chooser = Chooser(
            environments=self.environments,
            snapshot=self.environments.snapshot,
            own=self.own,
            beds_of=lambda environment, one: self.sandboxes.of(environment, one.text),
            progress=self.progress,
            memory=self.memory,
            seconds=self.seconds,
            now=NOW,
            budget=self.budget,
        )
        return chooser.choose(ways, resume=resume)

    @property
    def built(self):
        """The plans that were built, with what was added to them."""
        return [(one.name, one.added) for one in self.environments.built]

    @property
    def said(self):
        return [detail for _, detail in self.progress.stages]


@pytest.fixture
def chosen(tmp_path):
    """A ``Bench``."""
    return Bench(tmp_path)


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


def test_a_plan_that_cannot_be_built_gives_way_and_is_named(chosen):
    chosen.reports = {"b": GOOD}
    found = chosen(A, B, fails={"a": "six cannot be had"})
    assert found.environment.name == "b"
    assert "not a: six cannot be had" in chosen.said


def test_a_plan_whose_pytest_cannot_be_loaded_gives_way(chosen):
    chosen.runs = [RunnerNotLoaded("pytest cannot be loaded"), GOOD]
    assert chosen(A, B).environment.name == "b"
    assert "not a: pytest cannot be loaded" in chosen.said
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


def test_the_first_plan_that_can_be_built_is_tried_whatever_the_time(chosen):
    chosen.reports, chosen.seconds = {"b": GOOD}, -1.0
    assert chosen(A, B, fails={"a": "gone"}).environment.name == "b"


def test_missing_packages_are_added_in_rounds_while_more_tests_pass(chosen):
    chosen.runs = [suite(5, missing=15), suite(10, missing=10, module="yaml"), GOOD]
    found = chosen(A)
    assert chosen.built == [("a", ()), ("a", ("trio",)), ("a", ("trio", "PyYAML"))]
    assert found.report == GOOD
    assert chosen.sandboxes.open == 1
    assert "once more, with what is missing: PyYAML" in chosen.said
    assert "taken: a, 20 tests pass, 0 fail" in chosen.said


def test_a_package_that_one_file_of_tests_misses_is_added_though_the_rest_passes(chosen):
    """A file that cannot be imported hides all of its tests; no other plan is tried for it."""
    lost = failed("tests/test_async.py", exception="ModuleNotFoundError", message="No module named 'trio'")
    chosen.runs = [report(*suite(500).results, lost), suite(600)]
    assert chosen(A, B).judgement.passing == 600
    assert chosen.built == [("a", ()), ("a", ("trio",))]


def test_one_test_that_misses_a_package_costs_no_further_run(chosen):
    chosen.runs = [suite(500, missing=1)]
    assert chosen(A, B).judgement.passing == 500
    assert chosen.built == [("a", ())]


def test_a_plan_is_completed_before_the_next_one_is_tried(chosen):
    chosen.runs = [suite(5, missing=15), GOOD]
    assert chosen(A, B).report == GOOD
    assert chosen.built == [("a", ()), ("a", ("trio",))]


def test_what_the_budget_cut_short_is_chosen_anew_the_next_time(chosen):
    chosen.reports = {"a": suite(5, broken=15), "b": GOOD}
    chosen.budget = 1e-9  # spent by the first run
    assert chosen(A, B).environment.name == "a"
    chosen.budget = 0.0
    assert chosen(A, B).environment.name == "b"


def test_packages_that_help_nothing_are_not_kept(chosen):
    worse = suite(4, missing=16, module="yaml")
    chosen.runs = [suite(5, missing=15), worse, worse]
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


# commands


LOG = way("pytest tests", "x::1")
PLAIN = dataclasses.replace(PYTEST, tests=("x::1",))
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


# what is remembered


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


def test_what_is_remembered_is_built_and_nothing_else(chosen):
    keep(chosen, A, B)
    assert chosen(A, B).environment.name == "b"
    assert chosen.built == [("b", ())]


@pytest.mark.parametrize("choice", [{"plan": "gone"}, {"text": "make test"}])
def test_a_plan_or_a_command_that_is_gone_is_chosen_anew(chosen, choice):
    keep(chosen, A, B, **choice)
    chosen.reports = {"a": GOOD}
    assert chosen(A, B).report == GOOD


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"plan": "b"}', b'{"plan": 1, "added": 2}', b"\xff"])
def test_a_damaged_memory_is_none(chosen, data):
    keep(chosen, A, B).write_bytes(data)
    chosen.reports = {"a": GOOD}
    assert chosen(A, B).report == GOOD


def test_a_remembered_plan_that_cannot_be_built_any_more_is_chosen_anew(chosen):
    keep(chosen, A, B)
    chosen.reports = {"a": GOOD}
    assert chosen(A, B, fails={"b": "yanked"}).environment.name == "a"


@pytest.mark.parametrize(
    ("reports", "fails"), [({"a": NOTHING, "b": NOTHING}, {}), ({"b": GOOD}, {"a": "the index is gone"})]
)
def test_what_may_be_better_tomorrow_is_not_remembered(chosen, reports, fails):
    chosen.reports = reports
    chosen(A, B, fails=fails).held.close()
    assert not list(chosen.memory.directory.glob("*"))


# an environment that is used as it is


def test_in_a_fixed_environment_only_the_command_is_chosen(chosen):
    chosen.reports = {("host", "pytest tests"): NOTHING, ("host", ""): GOOD}
    found = chosen(A, fixed=prepared("host"), ways=(way("pytest tests"), PYTEST))
    assert (found.way.text, chosen.built) == ("", [])
    assert chosen.sandboxes.open == 1


def test_a_run_in_a_fixed_environment_is_resumed_with_the_command_that_it_began_with(chosen):
    chosen.reports = {("host", "pytest tests"): NOTHING, ("host", ""): GOOD}
    ways = (way("pytest tests"), PYTEST)
    chosen(fixed=prepared("host"), ways=ways).held.close()
    again = chosen(fixed=prepared("host"), ways=ways, resume=True)
    assert (again.way.text, again.report, chosen.sandboxes.asked) == ("", None, [])


def test_where_none_was_begun_the_first_command_is_resumed(chosen):
    again = chosen(fixed=prepared("host"), ways=(way("pytest tests"), PYTEST), resume=True)
    assert (again.way.text, chosen.sandboxes.asked) == ("pytest tests", [])


# failures that newer releases make


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


def test_what_fails_with_older_releases_too_is_the_codes_doing(chosen):
    chosen.reports = {"a": released(20), OLDER: suite(0, "x::1")}
    assert chosen(A).apart == ()


def test_older_releases_that_cannot_be_had_say_nothing(chosen):
    chosen.reports = {"a": released(20)}
    assert chosen(A, fails={OLDER: "too old"}).apart == ()
    assert "not with these: too old" in chosen.said


# what ends a choice


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
