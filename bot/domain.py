"""The vocabulary of a repair: frozen data, no I/O, no behaviour beyond questions about itself.

Texts are project source decoded as UTF-8 with ``surrogateescape``, newlines kept as they are, so that
``text.encode("utf-8", "surrogateescape")`` gives back the file byte for byte. Paths are POSIX paths
relative to the project's root. Offsets count characters of such a text; lines are 1-based.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from bot.internal_errors import InternalError
from sandbox.reports import TestResult


class Outcome(StrEnum):
    """How a repair ended."""

    PATCHED = "patched"
    NO_PATCH = "no_patch"
    NOT_REPRODUCED = "not_reproduced"
    FLAKY = "flaky"
    NOT_CODE = "not_code"  # infrastructure, dependency, lint: nothing a patch to the code would fix
    BUDGET_EXHAUSTED = "budget_exhausted"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanEdit:
    """Replace ``text[start:end]`` of the file at ``path``; ``start == end`` inserts.

    A path that the project does not hold is created; its edit has ``start == end == 0``.
    """

    path: str
    start: int
    end: int
    text: str


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
    where no model wrote it.
    """

    patch: Patch
    origin: str
    explanation: str = ""
    score: float = 0.0
    order: int = 1
    patient: bool = False
    turn: int = 0


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
class Attempt:
    """A candidate with its verdict; ``detail`` is one line that a proposer can learn from.

    ``endings`` are how the failing tests that decide ended, without traces. ``progress`` in [0, 1] is how
    much nearer that is than the unchanged program, ``gain`` the same in words.
    """

    candidate: Candidate
    verdict: Verdict
    detail: str = ""
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
class RuledOut:
    """What a search has tried in vain.

    ``operators`` says how many candidates of each were tried, most first. ``unchanged`` of them behaved like
    the unchanged program; ``alike`` ones made progress, but behaved like another that is built upon.
    """

    operators: tuple[tuple[str, int], ...] = ()
    unchanged: int = 0
    alike: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """What the project does before any change.

    ``failing`` failed each of the ``runs`` times (FAIL_TO_PASS); ``passing`` passed (PASS_TO_PASS); ``flaky``
    maps a test to the number of runs that it passed, out of ``runs``; ``unsteady`` to what that depends on,
    in words, where it was seen. ``apart`` are tests that count neither for nor against a patch, with the
    reason: no change of the code could make them pass, or their verdict cannot be had twice. Where the suite
    takes longer than there was time, this is a sample of it, and ``unseen`` is how many tests were not run.
    """

    failing: tuple[TestResult, ...] = ()
    passing: tuple[TestResult, ...] = ()
    flaky: tuple[tuple[str, int], ...] = ()
    unsteady: tuple[tuple[str, str], ...] = ()
    apart: tuple[tuple[str, str], ...] = ()
    runs: int = 0
    seconds: float = 0.0
    unseen: int = 0

    @property
    def fail_to_pass(self) -> frozenset[str]:
        """The ids of the tests that a patch has to turn green."""
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
        return Usage(
            calls=self.calls + other.calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            estimated_tokens=self.estimated_tokens + other.estimated_tokens,
            cost=self.cost + other.cost,
            seconds=self.seconds + other.seconds,
        )

    @property
    def tokens(self) -> int:
        """Prompt and completion tokens together."""
        return self.prompt_tokens + self.completion_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Why a patch deserves trust: what was run in a fresh sandbox, and how often.

    ``pass_to_pass`` are the passing tests that were run and still pass. Where the suite takes longer than
    there was time, ``covering`` are those of them that run a changed line, ``left_out`` was not run, and
    ``unseen`` is the number of tests that were not even run before the change. ``controls`` are the repaired
    tests of which an altered copy failed as it must; ``uncontrolled`` maps the others to the reason.
    """

    fail_to_pass: tuple[str, ...]
    pass_to_pass: tuple[str, ...]
    repeats: int
    sandbox: str
    isolated: bool
    seconds: float
    covering: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    unseen: int = 0
    controls: tuple[str, ...] = ()
    uncontrolled: tuple[tuple[str, str], ...] = ()


class Basis(StrEnum):
    """What a choice among plausible patches rests on."""

    ONLY = "only"  # there was nothing to choose from
    ALIKE = "alike"  # no input that was tried distinguishes the patches
    EVIDENCE = "evidence"  # what the patches do, or what the documentation says
    LOOKS = "looks"  # size and likelihood of the change, and nothing else


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """An input on which an alternative answers otherwise than the chosen patch; texts for people."""

    alternative: str
    call: str
    chosen: str
    other: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """How the delivered patch came to be chosen among all that passed the tests.

    ``behaviours`` are the patches that could be distinguished, the chosen one counted; ``inputs`` are those
    on which they were compared; both are 0 where nothing could be tried.
    """

    alternatives: int
    behaviours: int
    inputs: int
    basis: Basis
    reason: str
    differences: tuple[Difference, ...] = ()

    @property
    def ambiguous(self) -> bool:
        """Whether another patch that behaves otherwise might as well be the right one."""
        return self.basis is Basis.LOOKS


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairResult:
    """The answer. ``diff`` and ``evidence`` are set if and only if the outcome is PATCHED.

    ``warnings`` say why a person has to read the patch before anything is done with it: it does what the
    policy does not know to be harmless. Such a patch is shown, and is neither written nor committed.
    ``witnesses`` are project files that the policy has relied on, beside those that the patch touches.
    ``first_plausible_at`` (seconds) and ``first_plausible_attempt`` (its number, from 1) say when a patch
    first passed the tests; None if none did. ``first_plausible_turn`` is the model's turn that it is from, 0
    where no model wrote it; ``turns`` are those that a model had. ``environment`` says by whose word the
    tests' environment was made. ``internal_errors`` are defects of Regreen that cost a part, not the run.
    """

    outcome: Outcome
    reason: str
    baseline: Baseline = field(default_factory=Baseline)
    patch: Patch | None = None
    diff: str = ""
    explanation: str = ""
    warnings: tuple[str, ...] = ()
    witnesses: tuple[str, ...] = ()
    evidence: Evidence | None = None
    choice: Choice | None = None
    attempts: int = 0
    first_plausible_at: float | None = None
    first_plausible_attempt: int | None = None
    first_plausible_turn: int | None = None
    turns: int = 0
    alternatives: int = 0
    best_partial: Attempt | None = None
    partials: tuple[Attempt, ...] = ()
    ruled_out: RuledOut = field(default_factory=RuledOut)
    suspicions: tuple[Suspicion, ...] = ()
    usage: Usage = field(default_factory=Usage)
    usage_by_model: tuple[tuple[str, Usage], ...] = ()
    environment: str = ""
    internal_errors: tuple[InternalError, ...] = ()
    seconds: float = 0.0
