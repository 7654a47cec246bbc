"""The first run of the unchanged project, and what comes first where the suite takes longer than it may.

What ran until the time was over is a sample of the suite. So the tests that a log names go first, alone, and
then those nearest to the change that is suspected.
"""

import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.patch.policy.files.protected import is_test_path
from bot.ports import Testbed
from sandbox.reports import TestReport

NAMED_SHARE = 0.5
"""Of the time for the first run, what the tests that a log names may take before the others."""

MAX_NEAR = 50
_CHANGED = re.compile(r"^\+\+\+ (?:b/)?([^\t\n]+)", re.MULTILINE)
_IMPORT = re.compile(r"^[ \t]*(?:from|import)[ \t]+([^#\n]+)", re.MULTILINE)
_NAME = re.compile(r"\w+")


def first_run(
    testbed: Testbed, *, named: Sequence[str] = (), near: Sequence[str] = (), seconds: float | None = None
) -> TestReport:
    """Run the whole suite, or as much of it as ``seconds`` allow.

    ``named`` are tests that a log names: they are run before all others where the suite may not end in time.
    ``near`` are files whose tests come next.
    """
    if seconds is None:
        return testbed.run(first=near)
    if not named:
        return testbed.run(first=near, seconds=seconds)
    alone = testbed.run(tests=named, seconds=NAMED_SHARE * seconds)
    suite = testbed.run(first=near, seconds=max(seconds - alone.seconds, NAMED_SHARE * seconds))
    return _joined(alone, suite) if suite.cut else suite


def near_change(diff: str, sources: Mapping[str, str]) -> tuple[str, ...]:
    """The test files that ``diff`` changes, then those that import a module that it changes, best first."""
    changed = [path for path in _CHANGED.findall(diff) if path.endswith(".py")]
    tests = [path for path in changed if path in sources and is_test_path(path)]
    modules = {_module(path) for path in changed if not is_test_path(path)} - {""}
    if not modules:
        return tuple(tests)
    named: list[tuple[int, str]] = []
    for path in sorted(sources):
        if path in tests or not is_test_path(path):
            continue
        words = {word for line in _IMPORT.findall(sources[path]) for word in _NAME.findall(line)}
        is_named_after = any(module in posixpath.basename(path) for module in modules)
        if is_named_after or modules & words:
            named.append((-len(modules & words) - 2 * is_named_after, path))
    return tuple([*tests, *(path for _, path in sorted(named))][:MAX_NEAR])


def unseen(report: TestReport) -> int:
    """How many tests of the suite ``report`` has no verdict on, since its time was over."""
    return max(0, report.collected - len(report.results)) if report.cut else 0


def _module(path: str) -> str:
    """The name by which tests know the module in ``path``: a package's is its directory's."""
    name = posixpath.basename(path).removesuffix(".py")
    return posixpath.basename(posixpath.dirname(path)) if name == "__init__" else name


def _joined(alone: TestReport, suite: TestReport) -> TestReport:
    """``suite`` with the verdicts of ``alone`` on tests that it did not get to."""
    seen = {result.test for result in suite.results}
    more = tuple(result for result in alone.results if result.test not in seen)
    return replace(
        suite,
        results=(*more, *suite.results),
        seconds=suite.seconds + alone.seconds,
        collected=max(suite.collected, len(seen) + len(more)),
        confirmed=(*alone.confirmed, *suite.confirmed),
    )
