"""The answer of a repair: its outcome, the patch with its evidence, and how that patch was chosen.

Frozen data as in ``bot.domain``, of whose words it is made.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from bot.domain import Attempt, Baseline, Culprit, OutdatedTest, Patch, RuledOut, Suspicion, Usage
from bot.internal_errors import InternalError


class Confidence(StrEnum):
    """How likely a patch that passes the tests is what was meant."""

    HIGH = "high"
    LOW = "low"  # something speaks against it: a person should compare it with what was meant


class Outcome(StrEnum):
    """How a repair ended."""

    PATCHED = "patched"
    NO_PATCH = "no_patch"
    NOT_REPRODUCED = "not_reproduced"
    FLAKY = "flaky"
    NOT_CODE = "not_code"  # infrastructure, dependency, lint: nothing a patch to the code would fix
    BUDGET_EXHAUSTED = "budget_exhausted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Why a patch deserves trust: what was run in a fresh sandbox, and how often.

    ``pass_to_pass`` are the passing tests that were run and still pass. Where the suite takes longer than
    there was time, ``covering`` are those of them that run a changed line, ``left_out`` was not run, and
    ``unseen`` is the number of tests that were not even run before the change. ``controls`` are the repaired
    tests of which an altered copy failed as it must; ``uncontrolled`` maps the others to the reason.
    ``doubts`` say why the patch may be wrong all the same (``bot.choice.doubts``). ``of_change`` are those of
    all these tests that the suspected change added or changed.
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
    doubts: tuple[str, ...] = ()
    of_change: tuple[str, ...] = ()

    @property
    def confidence(self) -> Confidence:
        """High where nothing speaks against the patch."""
        return Confidence.LOW if self.doubts else Confidence.HIGH


class Basis(StrEnum):
    """What a choice among plausible patches rests on."""

    ONLY = "only"  # there was nothing to choose from
    ALIKE = "alike"  # no input that was tried distinguishes the patches
    EVIDENCE = "evidence"  # what the patches do, or what the documentation says
    LOOKS = "looks"  # size and likelihood of the change, and nothing else


SURE_SHARE = 0.95
"""Of the weight of all alternatives: what leaves little doubt."""
MINORITY_SHARE = 0.5
"""Below it, those that behave otherwise weigh more together, whatever the evidence says."""


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
    on which they were compared; both are 0 where nothing could be tried. ``share`` in (0, 1] is how much of
    the weight of all alternatives is with those that behave as the chosen one does.
    """

    alternatives: int
    behaviours: int
    inputs: int
    basis: Basis
    reason: str
    differences: tuple[Difference, ...] = ()
    share: float = 1.0

    @property
    def ambiguous(self) -> bool:
        """Whether another patch that behaves otherwise might as well be the right one."""
        return self.share < (SURE_SHARE if self.basis is Basis.LOOKS else MINORITY_SHARE)


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairResult:
    """The answer. ``diff`` and ``evidence`` are set if and only if the outcome is PATCHED.

    ``operator`` names the mutation operator or fix template that made the patch; empty where a model did.

    ``warnings`` say why a person has to read the patch before anything is done with it: it does what the
    policy does not know to be harmless. Such a patch is shown, and is neither written nor committed.
    ``witnesses`` are project files that the policy has relied on, beside those that the patch touches.
    ``first_plausible_at`` (seconds) and ``first_plausible_attempt`` (its number, from 1) say when a patch
    first passed the tests; None if none did. ``first_plausible_turn`` is the model's turn that it is from, 0
    where no model wrote it; ``turns`` are those that a model had. ``environment`` says by whose word the
    tests' environment was made. ``culprit`` is set where part of the suspected change was seen to make tests
    fail; ``outdated`` are failing tests that it means to fail; ``adapted`` with ``adapted_diff`` changes
    what these expect, and no code, where that was asked for. ``cause`` says which kind of NOT_CODE it is,
    where that is not the log's. ``internal_errors`` are defects of Regreen that cost a part, not the run.
    """

    outcome: Outcome
    reason: str
    baseline: Baseline = field(default_factory=Baseline)
    patch: Patch | None = None
    diff: str = ""
    explanation: str = ""
    operator: str = ""
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
    culprit: Culprit | None = None
    outdated: tuple[OutdatedTest, ...] = ()
    adapted: Patch | None = None
    adapted_diff: str = ""
    cause: str = ""
    usage: Usage = field(default_factory=Usage)
    usage_by_model: tuple[tuple[str, Usage], ...] = ()
    environment: str = ""
    internal_errors: tuple[InternalError, ...] = ()
    seconds: float = 0.0


def refused(why: str) -> RepairResult:
    """The answer for a given patch that is not tried."""
    return RepairResult(outcome=Outcome.NO_PATCH, reason=f"the patch is refused: {why}")
