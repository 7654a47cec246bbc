"""The rehearsal beside the search: a thread with its own sandbox; its answer is waited for at the end."""

from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from types import TracebackType
from typing import Any, Self

Update = dict[str, Any]


class Rehearsal:
    """At most one run of ``work``, begun once; what it gives is an update of the state.

    Whoever leaves because of an error does not wait for it: its sandbox ends with this process at the latest.
    """

    def __init__(self) -> None:
        self._answer: Future[Update] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None and self._answer is not None:
            self._answer.exception()

    def begin(self, work: Callable[[], Update]) -> None:
        """Begin, unless that was done before."""
        if self._answer is None:
            self._answer = Future()
            Thread(target=_fulfil, args=(self._answer, work), name="regreen-rehearsal", daemon=True).start()

    @property
    def begun(self) -> bool:
        """Whether it has begun."""
        return self._answer is not None

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


def _fulfil(answer: Future[Update], work: Callable[[], Update]) -> None:
    try:
        answer.set_result(work())
    except BaseException as error:  # noqa: BLE001 - whoever asks for the answer gets it
        answer.set_exception(error)
