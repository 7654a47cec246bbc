"""The zygote that has the project and its tests loaded, but no pytest: for tests that are mere calls.

Most of what a fork costs is the memory of the process that forks, and pytest is most of that. So a test
without fixtures, marks or parameters, in a project without ``conftest.py``, is called by itself; a
``unittest`` case is run by ``unittest``. ``project_zygote`` says which tests are such.
"""

from __future__ import annotations

import sys
from functools import partial
from importlib import import_module
from time import perf_counter  # a test may freeze those of the module
from typing import Any, Callable, Dict, List, Optional, Tuple

from . import control
from .alarm import Alarm
from .compared_values import ComparedValues
from .explain import Explainer
from .fork import Fork, threads
from .hypothesis_runs import end_early
from .limits import OrderLimits
from .loaded import Loaded
from .modules import file_of
from .seal import hide, settle
from .swap import Unfit
from .wire import Wire

COMPARE_S = 0.2
# A test: its module, the class that holds it (or ""), its name there, whether it is a unittest case.
Entry = Tuple[str, str, str, bool]


def main(payload: Dict[str, Any]) -> None:
    """Wait for the tests, import them, say whether that went well, and give verdicts on demand.

    It is started before it is known which these are: until then it has nothing of the project loaded.
    """
    settings = payload["settings"]
    fork = Fork(settings)
    order = fork.order()
    if order is None:
        return
    if any(is_case for _module, _owner, _name, is_case in order["tests"].values()):
        import_module("unittest")  # it is sealed before code of the project runs
    control.prepare()
    hide()
    fork.settings.enter()
    sys.path[:] = order["path"]
    direct = _Direct(settings["root"], order["tests"], fork.report_fd)
    if threads() != 1:
        fork.say({"problem": "importing the project starts threads"})
        return
    fork.say({"ready": True})
    fork.serve(direct.verdict, direct.loaded.remember, direct.loaded.plan)


class _Direct:
    def __init__(self, root: str, tests: Dict[str, Entry], stack_fd: int) -> None:
        self._tests = tests
        self._explainer = Explainer(root)
        self._alarm = Alarm(stack_fd)
        self._sides = ComparedValues()
        self.loaded = Loaded(root)
        self.loaded.watch()
        self._import()
        settle()
        self.loaded.done()
        for path in self.loaded.files().values():
            self._explainer.relative(path)
        for module in sorted({entry[0] for entry in tests.values()}):
            self._sides.remember(file_of(sys.modules.get(module)))
        self._alarm.install()

    def verdict(self, order: Dict[str, Any], wire: Wire) -> Tuple[int, Dict[str, Any]]:
        """In the fork: run what ``order`` names; the exit status and how the changes were brought in."""
        try:
            means = self.loaded.bring_in(order["plan"])
        except Unfit as reason:
            return 0, {"unfit": str(reason)}
        tests = order["tests"]
        limits = OrderLimits(order)
        if means == "import":
            error = self._alarm.within(order["collect_timeout_s"], self._import)
            if error is not None:
                wire.send(dict(self._explainer.verdict(error, "error"), t="result", id=tests[0], seconds=0.0))
                return 1, {"means": means}
        any_failed = any_passed = False
        for test in tests:
            if test is not tests[0]:
                wire.send({"t": "start", "id": test}, hold=True)
            limit = limits.of(test)
            wire.phase(limit)
            started = perf_counter()
            waiting = limits.waiting(test, limit)
            error = self._alarm.within(limit, self._calls[test], waiting, wire.phase)
            if isinstance(error, Unfit):
                return 0, {"unfit": str(error)}
            result: Dict[str, Any] = {"status": "passed"}
            if error is not None:
                result = self._explainer.verdict(error, "failed")
            result.update(t="result", id=test, seconds=round(perf_counter() - started, 6))
            # Only after the last test: what is evaluated once more may leave traces.
            if test is tests[-1] and result["status"] == "failed":
                self._compare(error, result)
            wire.send(result, hold=test is tests[-1])
            failed = result["status"] in ("failed", "error", "timeout")
            any_failed, any_passed = any_failed or failed, any_passed or not failed
            if any_failed and order.get("stop_at_first_failure"):
                break
        if any_passed:
            wire.send(control.event())
        return int(any_failed), {"means": means}

    def _compare(self, error: Optional[BaseException], result: Dict[str, Any]) -> None:
        """Add to ``result`` what the assert compared that raised ``error``."""
        self._alarm.start(COMPARE_S)
        try:
            comparison = self._sides.of(error) if error is not None else None
            if comparison:
                result["comparison"] = comparison
        except BaseException:  # the test's code again, which may raise anything
            pass
        finally:
            self._alarm.stop()

    def _import(self) -> None:
        """Import the tests' modules, and find what to call for each test."""
        self._calls = {test: _call(*entry) for test, entry in self._tests.items()}


def _call(module: str, owner: str, name: str, is_case: bool) -> Callable[[], Any]:
    holder: Any = import_module(module)
    if not owner:
        function: Callable[[], Any] = getattr(holder, name)
        end_early(function)
        return function
    for part in owner.split("."):
        holder = getattr(holder, part)
    end_early(getattr(holder, name))
    return partial(_run_case if is_case else _run_method, holder, name)


def _run_method(owner: Any, name: str) -> None:
    getattr(owner(), name)()


def _run_case(owner: Any, name: str) -> None:
    """Run one unittest case with what belongs to its class and module; raises what went wrong first.

    Raises:
        Unfit: parts of it were skipped and none went wrong.
    """
    from unittest import TestResult, TestSuite

    class Result(TestResult):
        def addError(self, test: Any, err: Any) -> None:  # noqa: N802 - unittest's name
            errors.append(err[1])

        addFailure = addError  # noqa: N815

        def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:  # noqa: N802
            if err is not None:
                errors.append(err[1])

        def addUnexpectedSuccess(self, test: Any) -> None:  # noqa: N802
            errors.append(AssertionError("Unexpected success"))

        def addExpectedFailure(self, test: Any, err: Any) -> None:  # noqa: N802
            errors.append(XFailed())

        def addSkip(self, test: Any, reason: str) -> None:  # noqa: N802
            (skipped_parts if type(test).__name__ == "_SubTest" else errors).append(Skipped(reason))

    errors: List[BaseException] = []
    skipped_parts: List[BaseException] = []
    TestSuite([owner(name)]).run(Result())
    if errors:
        raise errors[0]
    if skipped_parts:
        raise Unfit("what the skip of a part is for the test is for pytest to say")


class Skipped(Exception):
    """A case was skipped; see ``Explainer.verdict``."""


class XFailed(Exception):
    """A case failed as it was expected to."""
