"""A testbed that outlives its sandbox: code that ends one costs its own verdict, and no other's.

What fills the memory of a sandbox with files counts for no process, and the kernel may end the supervisor for
it. The runs before and after have nothing to do with that.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from typing import Protocol, Unpack

from sandbox.errors import SandboxLost
from sandbox.probes import ProbeReport, ProbeRequest
from sandbox.reports import RunOptions, TestReport

MAX_LOST = 10
"""So many sandboxes may be lost before it is no longer taken for the fault of the code in them."""


class Bed(Protocol):
    """What runs tests in one sandbox (``ports.Testbed``)."""

    def run(self, **options: Unpack[RunOptions]) -> TestReport:
        """See ``ports.Testbed.run``."""
        ...

    def probe(self, request: ProbeRequest) -> ProbeReport:
        """See ``ports.Testbed.probe``."""
        ...


class LastingTestbed:
    """Runs tests in a sandbox of ``opening``, and in another one after that is lost."""

    def __init__(self, opening: Callable[[], AbstractContextManager[Bed]]) -> None:
        self._opening = opening
        self._held = ExitStack()
        self._lost = 0
        self._bed: Bed | None = self._held.enter_context(opening())

    def run(self, **options: Unpack[RunOptions]) -> TestReport:
        """See ``ports.Testbed.run``. A change that ends the sandbox gets a report that proves nothing."""
        bed = self._opened()
        started = time.monotonic()
        try:
            return bed.run(**options)
        except SandboxLost as error:
            self.close()
            self._lost += 1
            if not options.get("changes") or self._lost > MAX_LOST:
                raise
            return TestReport(
                results=(),
                complete=False,
                exit_status=None,
                seconds=time.monotonic() - started,
                problem=str(error),
            )

    def probe(self, request: ProbeRequest) -> ProbeReport:
        """See ``ports.Testbed.probe``; a version that ends the sandbox ends the comparison alone."""
        bed = self._opened()
        try:
            return bed.probe(request)
        except SandboxLost as error:
            self.close()
            self._lost += 1
            if self._lost > MAX_LOST:
                raise
            return ProbeReport(problem=str(error))

    def close(self) -> None:
        """End the sandbox; a further run gets another one."""
        self._bed = None
        self._held.close()

    def _opened(self) -> Bed:
        if self._bed is None:
            self._bed = self._held.enter_context(self._opening())
        return self._bed
