"""The vocabulary of a repair: frozen data, no I/O, no behaviour beyond questions about itself.

Texts are project source decoded as UTF-8 with ``surrogateescape``, newlines kept as they are, so that
``text.encode("utf-8", "surrogateescape")`` gives back the file byte for byte. Paths are POSIX paths
relative to the project's root. Offsets count characters of such a text; lines are 1-based.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields
from enum import StrEnum

from sandbox.reports import TestResult

MAX_PLACES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanEdit:
    """Put ``replacement`` for ``source[start:end]`` of the file at ``path``; ``start == end`` inserts.

    A path that the project does not hold is created; its edit has ``start == end == 0``.
    """

    path: str
    start: int
    end: int
    replacement: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Patch:
    """Non-overlapping edits against the original sources, in any order."""

    edits: tuple[SpanEdit, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that this patch touches, sorted, each once."""
        return tuple(sorted({edit.path for edit in self.edits}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A patch that someone suggests, before anything is known about it.

    ``origin`` names the operator or model; ``score`` orders candidates of one origin, higher first.
    ``order`` is the number of single changes that it puts together. A ``patient`` one is tried again, with
    more time, after it seemed to hang. ``turn`` is the model's turn that it is from, counted from 1; 0
    where no model wrote it. A ``near`` one changes the lines of a patch that passes the tests. ``gap`` is
    the share of a model's replies that wrote it between the lines around it; it is tried as the search's are.
    """

    patch: Patch
    origin: str
    explanation: str = ""
    score: float = 0.0
    order: int = 1
    patient: bool = False
    turn: int = 0
    near: bool = False
    gap: float = 0.0

    @property
    def guesses(self) -> int:
        """The operators that made it, one on top of the other."""
        return self.origin.count(" + ") + 1


class Verdict(StrEnum):
    """What evaluation says of a candidate."""

    PLAUSIBLE = "plausible"  # every test that was run passes
    PARTIAL = "partial"  # some failing test passes now, and none broke
    FAILING = "failing"
    REJECTED = "rejected"  # the gate refused it: it never ran


class Flaw(StrEnum):
    """Why a model's reply was turned down before it ran; each is answered in another way."""

    UNREADABLE = "unreadable"  # no patch in it, or one that cannot be applied
    CUT = "cut"  # it ended at its length limit, in the middle
    SYNTAX = "syntax"  # the code does not parse
    SIGNATURE = "signature"  # the function takes other arguments than before
    UNCHANGED = "unchanged"  # the code is what it was before
    REPEATED = "repeated"  # the same patch was tried before
    REFUSED = "refused"  # the policy forbids it
    VETOED = "vetoed"  # the critic does not believe in it


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedNeighbours:
    """Other changes of a patch's lines: how many were ``tried``, how many pass, whether there are no more."""

    tried: int
    passing: int
    is_all: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A candidate with its verdict; ``detail`` is one line that a proposer can learn from.

    ``endings`` are how the failing tests that decide ended, without traces. ``progress`` in [0, 1] is how
    much nearer that is than the unchanged program, ``gain`` the same in words.
    """

    candidate: Candidate
    verdict: Verdict
    detail: str = ""
    assumed: bool = False
    fixed: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    seconds: float = 0.0
    endings: tuple[TestResult, ...] = ()
    progress: float = 0.0
    gain: str = ""
    flaw: Flaw | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspicion:
    """How suspicious one line is, in [0, 1]."""

    path: str
    line: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """An attempt that made progress, to be built upon.

    ``suspicions`` are of lines of the text that it gives, after a traced run of it; ``failing`` is how tests
    ended in that run. ``known_at`` is the number of candidates that had been drawn when it became known.
    """

    attempt: Attempt
    known_at: int
    suspicions: tuple[Suspicion, ...] = ()
    failing: tuple[TestResult, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Culprit:
    """The smallest part that was found of a change without which failing ``tests`` pass.

    ``edits`` take it back; ``lines`` are its places: a path, the first and the last line. It has ``size`` of
    the ``changed`` lines. ``minimal``: without any one of its parts the tests fail again. ``runs`` of tests
    showed it. ``base`` is the version that the change is compared with, in words. ``needed`` are tests that
    the change added or changed, that pass, and that fail without it: it is not to be taken back as a whole.
    ``shown``: it says what is wrong; else the search alone makes use of it.
    """

    edits: tuple[SpanEdit, ...]
    lines: tuple[tuple[str, tuple[int, int]], ...]
    changed: int
    size: int
    tests: tuple[str, ...]
    minimal: bool
    runs: int
    base: str
    needed: tuple[str, ...] = ()
    shown: bool = True

    @property
    def sentence(self) -> str:
        """What it means, for people."""
        places = [
            f"{path}:{first}" if first == last else f"{path}:{first}-{last}"
            for path, (first, last) in self.lines
        ]
        shown = ", ".join(places[:MAX_PLACES]) + (" and more" if len(places) > MAX_PLACES else "")
        noun = "line" if self.changed == 1 else "lines"
        verb = "makes" if self.size == 1 else "make"
        number = "one failing test" if len(self.tests) == 1 else f"{len(self.tests)} failing tests"
        smallest = "" if self.minimal else " (perhaps fewer: the time for this was over)"
        wanted = f"; {self.needed[0]}, a test of this change, needs it" if self.needed else ""
        return (
            f"{shown}: {self.size} of {self.changed} changed {noun} {verb} the difference{smallest}: "
            f"without, {number} passed; compared with {self.base}{wanted}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class OutdatedTest:
    """A test that the change left as it was, and that asserts what the change replaces on purpose.

    ``expected`` and ``actual`` are reprs; ``because`` is what shows the purpose, a clause for people.
    """

    test: str
    path: str
    line: int
    assertion: str
    expected: str
    actual: str
    because: str

    @property
    def sentence(self) -> str:
        """What it means, for people."""
        return (
            f"{self.path}:{self.line}: {self.assertion} expects {self.expected} as before this change; "
            f"now it is {self.actual}, and {self.because}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RuledOut:
    """What a search has tried in vain.

    ``operators`` says how many candidates of each were tried, most first. ``unchanged`` of them behaved like
    the unchanged program; ``alike`` ones made progress, but behaved like another that is built upon. ``near``
    ones changed the lines of a patch that passes the tests, and did not pass.
    """

    operators: tuple[tuple[str, int], ...] = ()
    unchanged: int = 0
    alike: int = 0
    near: int = 0


class Before(StrEnum):
    """What a failing test was before the suspected change, in the words that people are shown."""

    REGRESSION = "regression"  # the same test passed
    NEW = "new test"
    CHANGED = "changed test"
    FAILING = "failing before"  # the same test failed in the same way


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """What the project does before any change.

    ``failing`` failed each of the ``runs`` times (FAIL_TO_PASS); ``passing`` passed (PASS_TO_PASS); ``flaky``
    maps a test to the number of runs that it passed, out of ``runs``; ``unsteady`` to what that depends on,
    in words, where it was seen. ``apart`` are tests that count neither for nor against a patch, with the
    reason: no change of the code could make them pass, or their verdict cannot be had twice. Where the suite
    takes longer than there was time, this is a sample of it, and ``unseen`` is how many tests were not run.
    ``before`` says of failing tests what they were before the suspected change, where that was seen.
    """

    failing: tuple[TestResult, ...] = ()
    passing: tuple[TestResult, ...] = ()
    flaky: tuple[tuple[str, int], ...] = ()
    unsteady: tuple[tuple[str, str], ...] = ()
    apart: tuple[tuple[str, str], ...] = ()
    runs: int = 0
    seconds: float = 0.0
    unseen: int = 0
    before: tuple[tuple[str, Before], ...] = ()

    @property
    def compared(self) -> str:
        """What the failing tests were before the change, counted; empty where that was not seen."""
        counts = Counter(kind for _, kind in self.before)
        shown = [
            f"{counts[kind]} {kind.value}{'s' if counts[kind] > 1 and kind is not Before.FAILING else ''}"
            for kind in Before
            if counts[kind]
        ]
        return ", ".join(shown)

    @property
    def fail_to_pass(self) -> frozenset[str]:
        """The ids of the tests that a patch has to make pass."""
        return frozenset(result.test for result in self.failing)

    @property
    def pass_to_pass(self) -> frozenset[str]:
        """The ids of the tests that a patch must not break."""
        return frozenset(result.test for result in self.passing)


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What the models cost so far; ``cost`` in US dollars, where a price is known, ``seconds`` of waiting.

    ``estimated_tokens`` is how many of the tokens nobody counted, since the server does not say.
    """

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    estimated_tokens: int = 0
    cost: float = 0.0
    seconds: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        sums = {one.name: getattr(self, one.name) + getattr(other, one.name) for one in fields(self)}
        return Usage(**sums)

    @property
    def tokens(self) -> int:
        """Prompt and completion tokens together."""
        return self.prompt_tokens + self.completion_tokens
