"""What the tests of environments chooser share."""

import dataclasses
from datetime import UTC, datetime

from fakes.environments import FakeEnvironments, Sandboxes, plan
from fakes.progress import FakeProgress
from fakes.testbed import FakeTestbed, ScriptedTestbed

from bot.environments.chooser import Chooser
from bot.environments.memory import Memory
from bot.environments.ways import Way
from sandbox.command import PytestCommand
from sandbox.reports import TestReport, TestResult, TestStatus
from sandbox.resolve import Resolved

NOW = datetime(2026, 6, 1, tzinfo=UTC)
PYTEST = Way(text="", source="pytest itself", command=Resolved(command=PytestCommand()))
A, B, C = plan("a", "attrs"), plan("b", "six"), plan("c", "trio")


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
    lost = {"exception": "ModuleNotFoundError", "message": f"No module named '{module}'"}
    results += [failed(f"t.py::test_missing_{n}", **lost) for n in range(missing)]
    results += [failed(f"t.py::test_b_{n}", exception="ImportError", message=conflict) for n in range(broken)]
    found = report(*results, complete=not problem, problem=problem)
    return found if exit_status is None else dataclasses.replace(found, exit_status=exit_status)


def released(passing, exception="TypeError", message=""):
    """A failure that an installed package raises, in a suite whose other tests pass."""
    raised = failed("x::1", exception=exception, message=message, foreign="attr/_make.py:12")
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


LOG = way("pytest tests", "x::1")
PLAIN = dataclasses.replace(PYTEST, tests=("x::1",))
