"""The sandbox of the first proof, opened while a processor has nothing to do: a first run uses only one.

It sees the unchanged project and the patch that is proved, and no other candidate.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING, Self

from sandbox.errors import SandboxError

if TYPE_CHECKING:
    from bot.ports import Testbed
    from sandbox.reports import TestReport

AFTER_S = 1.0
"""A first run that takes longer than this leaves time to open another sandbox."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A fresh testbed, and how the failing tests ended there ``unchanged``, if they were run."""

    testbed: Testbed
    unchanged: TestReport | None


class ProofAhead:
    """At most one testbed; its work is done in a thread of its own, in turn."""

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None
        self._resources = ExitStack()
        self._over = Event()
        self._made: Future[Prepared | None] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._over.set()
        if self._pool:
            self._pool.shutdown()
        self._resources.close()

    def begin(
        self, opened: Callable[[], AbstractContextManager[Testbed]], then: Callable[[], object]
    ) -> None:
        """Open a testbed as soon as what goes on now has taken ``AFTER_S``, and ``then`` do more; once."""
        if self._pool is None:
            self._pool = ThreadPoolExecutor(1, thread_name_prefix="regreen-proof-ahead")
            self._made = self._pool.submit(self._open, opened, then)

    def warm_up(self, unchanged: Callable[[Testbed], TestReport | None]) -> None:
        """What went on is over: have the ``unchanged`` project run where a testbed is open or opening."""
        self._over.set()
        if self._pool and (opened := self._made):
            self._made = self._pool.submit(self._warmed, opened, unchanged)

    def take(self) -> Prepared | None:
        """The testbed, waited for, to the first who asks; None where there is none that works."""
        made, self._made = self._made, None
        try:
            return made.result() if made else None
        except SandboxError:  # the proof opens one of its own, and says what is wrong
            return None

    def _open(
        self, opened: Callable[[], AbstractContextManager[Testbed]], then: Callable[[], object]
    ) -> Prepared | None:
        if self._over.wait(AFTER_S):
            return None
        prepared = Prepared(testbed=self._resources.enter_context(opened()), unchanged=None)
        then()
        return prepared

    @staticmethod
    def _warmed(
        opened: Future[Prepared | None], unchanged: Callable[[Testbed], TestReport | None]
    ) -> Prepared | None:
        prepared = opened.result()
        return prepared and Prepared(testbed=prepared.testbed, unchanged=unchanged(prepared.testbed))
