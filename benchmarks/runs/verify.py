"""Verdicts in fresh sandboxes, apart from the repair that they judge."""

from collections.abc import Mapping
from contextlib import ExitStack

from bot.config.settings import Settings
from bot.environments.testbeds import testbeds
from sandbox.command import PytestCommand
from sandbox.reports import TestReport
from sandbox.snapshot import Snapshot


class Quiet:
    """``ports.Progress`` that says nothing: the rows are the progress."""

    def stage(self, name: str, detail: str = "") -> None:
        """See ``ports.Progress``."""

    def tick(self, *, attempts: int | None = None, detail: str = "") -> None:
        """See ``ports.Progress``."""


def suite(
    settings: Settings, snapshot: Snapshot, *, changes: Mapping[str, bytes] | None = None
) -> TestReport:
    """One whole run of the tests of ``snapshot`` with ``changes``, in a fresh sandbox.

    Raises:
        sandbox.errors.SandboxError: no sandbox is to be had, or it failed.
    """
    with ExitStack() as resources:
        beds = testbeds(settings, snapshot, PytestCommand(), Quiet(), resources)
        with beds.open() as bed:
            return bed.run(changes=changes)


def green(
    settings: Settings,
    snapshot: Snapshot,
    *,
    changes: Mapping[str, bytes],
    tests: frozenset[str] = frozenset(),
) -> bool:
    """Whether the whole suite passes with ``changes``, and of each of ``tests`` something.

    One of ``tests`` may be a file that could not be imported: then no test of it may fail. All may be skipped.

    Raises:
        sandbox.errors.SandboxError: no sandbox is to be had, or it failed.
    """
    report = suite(settings, snapshot, changes=changes)
    passed = {result.test for result in report.passing}
    files = {result.test.partition("::")[0] for result in report.results}
    return bool(passed) and report.proves(frozenset()) and tests <= passed | files
