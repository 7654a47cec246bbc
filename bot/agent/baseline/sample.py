"""The first run of the unchanged project, and what comes first where the suite takes longer than it may.

What ran until the time was over is a sample of the suite. So the tests that a log names go first, alone, and
then those nearest to the change that is suspected.
"""

import posixpath
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
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


def is_named(test: str, names: Collection[str]) -> bool:
    """Whether a list of tests covers ``test``; a file's or a class's name covers what is in it."""
    return test in names or any(test.startswith((f"{name}::", f"{name}[")) for name in names)


def changed_in(diff: str) -> tuple[str, ...]:
    """The paths that ``diff`` adds or changes."""
    return tuple(_CHANGED.findall(diff))


def near_change(paths: Iterable[str], sources: Mapping[str, str]) -> tuple[str, ...]:
    """The test files among the changed ``paths``, then those that belong to a changed module, best first.

    A file of tests belongs to a module that it imports, that it is named after, or beside which it lies.
    """
    changed = [path for path in paths if path.endswith(".py")]
    tests = [path for path in changed if path in sources and is_test_path(path)]
    code = [path for path in changed if not is_test_path(path)]
    modules = {_module(path) for path in code} - {""}
    if not modules:
        return tuple(tests)
    directories = {posixpath.dirname(path) for path in code} - {""}
    named: list[tuple[int, str]] = []
    for path in sorted(sources):
        if path in tests or not is_test_path(path):
            continue
        words = {word for line in _IMPORT.findall(sources[path]) for word in _NAME.findall(line)}
        is_named_after = any(module in posixpath.basename(path) for module in modules)
        is_beside = _tested_directory(path) in directories
        if nearness := len(modules & words) + 2 * is_named_after + is_beside:
            named.append((-nearness, path))
    return tuple([*tests, *(path for _, path in sorted(named))][:MAX_NEAR])


def unseen(report: TestReport) -> int:
    """How many tests of the suite ``report`` has no verdict on, since its time was over."""
    return max(0, report.collected - len(report.results)) if report.cut else 0


def _module(path: str) -> str:
    """The name by which tests know the module in ``path``: a package's is its directory's."""
    name = posixpath.basename(path).removesuffix(".py")
    return posixpath.basename(posixpath.dirname(path)) if name == "__init__" else name


def _tested_directory(path: str) -> str:
    """The directory whose code the tests in ``path`` are about, where they lie within the package."""
    above, _, name = posixpath.dirname(path).rpartition("/")
    return above if name in {"test", "tests"} else posixpath.dirname(path)


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
