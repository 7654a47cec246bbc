"""Work beside the loop, in a thread of its own; whoever needs the answer waits for it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Generic, Self, TypeAlias, TypeVar, Unpack

from sandbox.errors import SandboxError

if TYPE_CHECKING:
    from bot.agent.proof.proving import Proved
    from bot.domain import Baseline, Patch
    from bot.ports import Testbed
    from sandbox.probes import ProbeReport, ProbeRequest
    from sandbox.reports import RunOptions, TestReport

Answer = TypeVar("Answer")
Subject: TypeAlias = "tuple[Patch, Baseline]"
Through: TypeAlias = "Callable[[Testbed], Testbed]"
Looks: TypeAlias = tuple[int, float]
"""How good a patch looks, the higher the better: see ``choose.looks``."""
NONE: Looks = (-sys.maxsize, 0.0)
MAX_EARLY = 3
"""So many proofs are begun before a patch is chosen; what was run for those before the last is lost."""


class Beside(Generic[Answer]):
    """At most one run of some work, begun once.

    Whoever leaves because of an error does not wait for it: its sandbox ends with this process at the latest.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._answer: Future[Answer] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: object, _trace: object) -> None:
        if error is None and self._answer is not None:
            self._answer.exception()

    def begin(self, work: Callable[[], Answer]) -> None:
        """Begin, unless that was done before."""
        if self._answer is None:
            self._answer = Future()
            Thread(
                target=_fulfil, args=(self._answer, work), name=f"regreen-{self._name}", daemon=True
            ).start()

    @property
    def begun(self) -> bool:
        """Whether it has begun."""
        return self._answer is not None

    @property
    def done(self) -> bool:
        """Whether the answer is there."""
        return self._answer is not None and self._answer.done()

    def get(self) -> Answer:
        """The answer, waited for, of what has begun; raises what the work raised."""
        assert self._answer is not None
        return self._answer.result()

    def result(self) -> Answer | None:
        """The answer, waited for; None where it was never begun.

        Raises:
            SandboxError: the sandbox failed.
        """
        return self._answer.result() if self._answer else None


def once(work: Callable[[], Answer]) -> Callable[[], Answer]:
    """A function that gives what ``work`` gives, which is asked once, in whatever thread wants it first."""
    answer = Beside[Answer]("work")

    def get() -> Answer:
        answer.begin(work)
        return answer.get()

    return get


class Rehearsal(Beside[dict[str, Any]]):
    """The rehearsal of the proof; its answer is an update of the state."""

    def __init__(self) -> None:
        super().__init__("rehearsal")


class EarlyProofs:
    """Proofs of patches that pass the tests, before it is known which one will be chosen.

    One at a time is worked on: a patch that looks better than those before takes over, a few times at most.
    ``begun`` counts them.
    """

    def __init__(self) -> None:
        self._proofs: list[_EarlyProof] = []
        self.begun = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        for one in self._proofs:
            one.given_up.set()
            one.__exit__(kind, error, trace)

    def begin_for(self, subject: Subject, looks: Looks, work: Callable[[Through], Proved]) -> None:
        """Begin with a patch and the tests that it is proved by, unless one that looks as good is there.

        ``work`` gets what its testbed is to be used through: it runs nothing more once nobody needs it.
        """
        if self.begun >= MAX_EARLY or any(looks <= one.looks for one in self._proofs):
            return
        for one in self._proofs:
            one.given_up.set()
        self.begun += 1
        proof = _EarlyProof(subject, looks)
        self._proofs.append(proof)
        proof.begin(lambda: work(lambda testbed: WhileNeeded(testbed, proof.given_up)))

    def of(self, subject: Subject) -> Proved | None:
        """The proof of that patch by these tests, waited for; None where there is none.

        One that failed is none, or that calls tests flaky: it had to share the machine with the search.
        """
        asked = next((one for one in self._proofs if one.subject == subject), None)
        for one in self._proofs:
            if one is not asked:
                one.given_up.set()
        if asked is None or asked.was_asked:
            return None
        asked.was_asked = True  # a patch that is chosen again is proved again
        try:
            found = asked.result()
        except Exception:  # noqa: BLE001 - the proof is made again then, and says what is wrong
            return None
        return found if found is not None and found.proof.is_good else None

    def drop(self, patch: Patch) -> None:
        """Nobody will ask for the proof of ``patch``: another one may begin."""
        for one in self._proofs:
            if one.subject[0] == patch:
                one.given_up.set()
                one.looks = NONE


class _EarlyProof(Beside["Proved"]):
    def __init__(self, subject: Subject, looks: Looks) -> None:
        super().__init__("proof")
        self.subject, self.looks = subject, looks
        self.given_up = Event()
        self.was_asked = False


class NotNeeded(SandboxError):
    """Nobody waits any more for what was to be run."""


@dataclass(frozen=True, slots=True)
class WhileNeeded:
    """``ports.Testbed``: ``testbed``, which ends what it runs once it is ``given_up``, and runs nothing more.

    Raises:
        NotNeeded: it is.
    """

    testbed: Testbed
    given_up: Event

    def run(self, **options: Unpack[RunOptions]) -> TestReport:
        """See ``ports.Testbed.run``."""
        if self.given_up.is_set():
            raise NotNeeded("another patch was chosen")
        options["needed"] = lambda: not self.given_up.is_set()
        return self.testbed.run(**options)

    def probe(self, request: ProbeRequest) -> ProbeReport:
        """See ``ports.Testbed.probe``."""
        return self.testbed.probe(request)


def _fulfil(answer: Future[Answer], work: Callable[[], Answer]) -> None:
    try:
        answer.set_result(work())
    except BaseException as error:  # noqa: BLE001 - whoever asks for the answer gets it
        answer.set_exception(error)
