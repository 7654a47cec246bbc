"""The rehearsal beside the search: a thread with its own sandbox; its answer is waited for at the end."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Any, Self

Update = dict[str, Any]


class Rehearsal:
    """At most one run of ``work``, begun once; what it gives is an update of the state."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="regreen-rehearsal")
        self._answer: Future[Update] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown()

    def begin(self, work: Callable[[], Update]) -> None:
        """Begin, unless that was done before."""
        if self._answer is None:
            self._answer = self._pool.submit(work)

    @property
    def done(self) -> bool:
        """Whether the answer is there."""
        return self._answer is not None and self._answer.done()

    def result(self) -> Update:
        """The answer, waited for; nothing where it was never begun.

        Raises:
            SandboxError: the sandbox failed.
        """
        return self._answer.result() if self._answer else {}
