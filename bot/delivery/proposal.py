"""The proposal: what one job found, written down for another that may publish it.

It is JSON of a fixed, versioned form. Whoever reads one reads untrusted text: the job that wrote it has
run untrusted code. So every field has a form and a bound here, and ``bot.delivery.verify`` takes nothing
of it for granted. Offsets are those of ``SpanEdit``; new text is base64, since a source need not be UTF-8.
"""

import hashlib
import json
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, ValidationError, model_validator

from bot.delivery.proposal_parts import (
    CONTENT,
    MAX_BYTES,
    MAX_EDITS,
    MAX_FILES,
    MAX_LINES,
    MAX_NOTES,
    MAX_TESTS,
    MAX_WITNESSES,
    Amount,
    Count,
    Edit,
    LongText,
    Name,
    NewExpectations,
    Original,
    Path,
    Sha,
    Strict,
    Text,
    Version,
    patch_of,
)
from bot.domain import Patch
from bot.errors import DeliveryError
from bot.result import Basis, Outcome

LINTERS = frozenset({"ruff", "black", "isort"})
"""The commands of checks that can fix what they find; see ``bot.compose.lint_fix``."""


class FailingTest(Strict):
    """A test that failed before, and how; ``before`` says what it was before the suspected change."""

    test: Name
    exception: Name = ""
    message: Text = ""
    before: Annotated[str, StringConstraints(max_length=40, pattern=r"\A[a-z ]*\z")] = ""


class FlakyTest(Strict):
    """A test that passed ``passed`` times, and what that depends on where it was seen."""

    test: Name
    passed: Count
    because: Text = ""


class Verification(Strict):
    """``bot.result.Evidence`` in numbers; ``doubts`` make its confidence low."""

    repaired: Count
    still_passing: Count
    of_change: Count = 0
    covering: Count
    left_out: Count
    unseen: Count = 0
    repeats: Count
    sandbox: Name
    isolated: bool
    seconds: Amount
    controls: Count = 0
    uncontrolled: Count = 0
    doubts: Annotated[tuple[Text, ...], Field(max_length=MAX_LINES)] = ()


class Alternative(Strict):
    """An input on which another plausible patch answers otherwise."""

    alternative: Text
    call: Text
    chosen: Text
    other: Text


class ProposedChoice(Strict):
    """``bot.result.Choice`` as it is shown."""

    basis: Annotated[Basis, Field(strict=False)]
    ambiguous: bool
    reason: Text
    behaviours: Count
    inputs: Count
    differences: Annotated[tuple[Alternative, ...], Field(max_length=10)] = ()


class Tried(Strict):
    """What came near without being a patch, and what that gained."""

    explanation: Text
    gain: Text


class Ruled(Strict):
    """How many candidates of an operator were tried."""

    operator: Name
    count: Count


class CulpritLines(Strict):
    """Lines, 1-based and inclusive, that make tests fail."""

    path: Path
    first: Annotated[int, Field(ge=1, le=10_000_000)]
    last: Annotated[int, Field(ge=1, le=10_000_000)]


class SuspiciousLine(Strict):
    """A line, 1-based, and how suspicious it is, in [0, 1]."""

    path: Path
    line: Annotated[int, Field(ge=1, le=10_000_000)]
    score: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class Spent(Strict):
    """What it took; ``cost`` in US dollars, 0 where no price is known."""

    attempts: Count = 0
    calls: Count = 0
    tokens: Count = 0
    cost: Amount = 0.0
    seconds: Amount = 0.0


class ProposalArtifact(Strict):
    """One repair's answer with all that publishing it takes.

    ``pull`` is 0 where a branch was repaired. ``cause`` names what is no patch's business, as the triage
    does: ``infrastructure/network``. ``job`` is the failed job's name, ``notes`` are clauses that belong to
    the evidence: what the tests ran on, and what came of other failed jobs. ``warnings`` say why a person has
    to read the patch, and apply it by hand. ``compared`` says what the failing tests were before the
    suspected change; ``culprit_diff`` is the part of that change at ``culprit_lines``. ``witnesses`` are
    files of the project by which the policy knows what the patch imports. A ``judged`` patch is for
    ``base_sha``. ``new_expectations`` change what outdated tests expect; there is no patch then.
    """

    version: Literal[1] = 1
    regreen: Version
    repository: Annotated[str, StringConstraints(max_length=140, pattern=r"\A[\w.-]+/[\w.-]+\z")]
    pull: Count
    base_sha: Sha
    head_sha: Sha
    head_ref: Annotated[str, StringConstraints(max_length=255)]
    run_id: Count
    job: Name = ""
    trigger: Annotated[str, StringConstraints(max_length=40, pattern=r"\A[a-z_-]*\z")]
    settings_digest: Annotated[str, StringConstraints(max_length=64, pattern=r"\A[0-9a-f]*\z")] = ""
    judged: bool = False
    outcome: Annotated[Outcome, Field(strict=False)]
    reason: LongText
    cause: Annotated[str, StringConstraints(max_length=80, pattern=r"\A[a-z_/]*\z")] = ""
    advice: Text = ""
    explanation: LongText = ""
    operator: Name = ""
    culprit: LongText = ""
    culprit_lines: Annotated[tuple[CulpritLines, ...], Field(max_length=MAX_LINES)] = ()
    culprit_diff: LongText = ""
    compared: Text = ""
    failing: Annotated[tuple[FailingTest, ...], Field(max_length=MAX_TESTS)] = ()
    failing_count: Count = 0
    flaky: Annotated[tuple[FlakyTest, ...], Field(max_length=MAX_TESTS)] = ()
    runs: Count = 0
    evidence: Verification | None = None
    notes: Annotated[tuple[Text, ...], Field(max_length=MAX_NOTES)] = ()
    choice: ProposedChoice | None = None
    alternatives: Count = 0
    closest: Annotated[tuple[Tried, ...], Field(max_length=10)] = ()
    ruled_out: Annotated[tuple[Ruled, ...], Field(max_length=MAX_LINES)] = ()
    suspicious: Annotated[tuple[SuspiciousLine, ...], Field(max_length=MAX_LINES)] = ()
    spent: Spent = Spent()
    originals: Annotated[tuple[Original, ...], Field(max_length=MAX_FILES)] = ()
    edits: Annotated[tuple[Edit, ...], Field(max_length=MAX_EDITS)] = ()
    diff: Annotated[str, StringConstraints(max_length=CONTENT)] = ""
    warnings: Annotated[tuple[Text, ...], Field(max_length=MAX_LINES)] = ()
    witnesses: Annotated[tuple[Path, ...], Field(max_length=MAX_WITNESSES)] = ()
    new_expectations: NewExpectations | None = None

    @model_validator(mode="after")
    def _has_a_patch_or_none(self) -> Self:
        parts = (bool(self.edits), bool(self.originals), bool(self.diff), self.evidence is not None)
        if any(parts) != all(parts) or all(parts) != self.is_patched:
            raise ValueError("outcome, edits, originals, diff and evidence do not belong together")
        if self.evidence and not (self.failing and self.evidence.repaired and self.evidence.repeats):
            raise ValueError("a patch is proposed that no failing test was seen to pass with")
        if self.new_expectations and self.outcome is not Outcome.NOT_CODE:
            raise ValueError("what tests expect is changed beside a repair")
        paths = [original.path for original in self.originals]
        if sorted(set(paths)) != sorted(paths) or {edit.path for edit in self.edits} != set(paths):
            raise ValueError("the originals are not the files that the edits touch, each once")
        return self

    @property
    def doubts(self) -> tuple[str, ...]:
        """Why its patch may be wrong although the tests pass."""
        return self.evidence.doubts if self.evidence else ()

    @property
    def failed(self) -> str:
        """What failed, in a word: a ``test``, or the ``check`` of a linter, which goes by its command."""
        checks = [" " in one.test and one.test.partition(" ")[0] in LINTERS for one in self.failing]
        return "check" if checks and all(checks) else "test"

    @property
    def is_patched(self) -> bool:
        """Whether it holds a patch."""
        return self.outcome is Outcome.PATCHED

    @property
    def patch(self) -> Patch:
        """The patch; without edits where there is none.

        Raises:
            DeliveryError: a text is no base64.
        """
        return patch_of(self.edits)

    @property
    def patch_id(self) -> str:
        """Names the patch and what it was made for: 16 hexadecimal digits; empty where there is none."""
        return self._id(self.edits)

    @property
    def expectations_id(self) -> str:
        """The same of what outdated tests would assert."""
        return self._id(self.new_expectations.edits if self.new_expectations else ())

    def _id(self, edits: tuple[Edit, ...]) -> str:
        if not edits:
            return ""
        plain = sorted((edit.path, edit.start, edit.end, edit.text) for edit in edits)
        return digest(self.repository.lower(), self.head_sha, json.dumps(plain))

    @property
    def tests_id(self) -> str:
        """Names the set of failing tests."""
        return digest(*sorted(failing.test for failing in self.failing)) if self.failing else ""


def digest(*parts: str) -> str:
    """16 hexadecimal digits that stand for ``parts``."""
    text = "\0".join(parts)
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def dump(artifact: ProposalArtifact) -> bytes:
    """The file that holds ``artifact``.

    Raises:
        DeliveryError: it is larger than may be read again.
    """
    text = artifact.model_dump_json(indent=1).encode()
    if len(text) > MAX_BYTES:
        raise DeliveryError(f"the proposal takes {len(text)} bytes, at most {MAX_BYTES} are published")
    return text


def load(text: bytes) -> ProposalArtifact:
    """The proposal in a file that anyone may have written.

    Raises:
        DeliveryError: it is none; the message names the first field that is wrong.
    """
    if len(text) > MAX_BYTES:
        raise DeliveryError(f"the proposal has {len(text)} bytes, at most {MAX_BYTES} are read")
    try:
        return ProposalArtifact.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])[:80] or "the proposal"
        raise DeliveryError(
            f"the proposal is refused, {where!a}: {first['msg'][:160]}; run the repair again"
        ) from error
