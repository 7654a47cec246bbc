"""From a repair's result to the proposal that is handed on. It shortens texts to what a proposal may hold."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from bot import __version__
from bot.delivery import proposal
from bot.delivery import proposal_parts as parts
from bot.delivery.proposal import ProposalArtifact
from bot.domain import Before, Patch
from bot.errors import PatchError
from bot.patch.apply import apply, from_sources
from bot.patch.diff import unified_diff
from bot.patch.text import decode, shown_surrogates
from bot.result import Choice, Evidence, RepairResult

MAX_CULPRIT_DIFF = 3_000
"""Characters of a culprit that is shown as a diff."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """What was repaired: a pull request's head, or a branch's where ``pull`` is 0.

    ``job`` is the name of the failed job. ``cause`` and ``advice`` are the triage's, where the failure is no
    patch's business. ``notes`` are clauses on how the evidence was had. ``judged``: see ``ProposalArtifact``.
    """

    repository: str
    pull: int
    base_sha: str
    head_sha: str
    head_ref: str
    run_id: int = 0
    job: str = ""
    trigger: str = ""
    settings_digest: str = ""
    cause: str = ""
    advice: str = ""
    notes: tuple[str, ...] = ()
    judged: bool = False


def proposal_of(result: RepairResult, *, origin: Origin, files: Mapping[str, bytes]) -> ProposalArtifact:
    """``result`` as a proposal; ``files`` are the project's, by path, as the repair saw them.

    Raises:
        pydantic.ValidationError: the patch is larger than a proposal may be.
    """
    patch = result.patch or Patch(edits=())
    said = {
        **asdict(origin),
        "job": _cut(origin.job, parts.NAME),
        "advice": _cut(origin.advice),
        "notes": tuple(_cut(note) for note in origin.notes[: parts.MAX_NOTES]),
    }
    return ProposalArtifact(
        **said,
        regreen=__version__,
        outcome=result.outcome,
        reason=_cut(result.reason, parts.LONG_TEXT),
        explanation=_cut(result.explanation, parts.LONG_TEXT),
        operator=_cut(result.operator, parts.NAME),
        culprit=_cut(result.culprit.sentence if result.culprit else "", parts.LONG_TEXT),
        culprit_lines=_culprit_lines(result),
        culprit_diff=_culprit_diff(result, files),
        compared=_cut(_compared(result)),
        failing=_failing(result),
        failing_count=len(result.baseline.failing),
        flaky=_flaky(result),
        runs=result.baseline.runs,
        evidence=_verification(result.evidence) if result.evidence else None,
        choice=_decision(result.choice) if result.choice else None,
        alternatives=result.alternatives,
        closest=_closest(result),
        ruled_out=_ruled_out(result),
        suspicious=_suspicious(result),
        spent=_spent(result),
        **_changes(patch, files),
        new_expectations=_new_expectations(result, files),
        warnings=tuple(_cut(warning) for warning in result.warnings[: parts.MAX_LINES]),
        witnesses=result.witnesses[: parts.MAX_WITNESSES],
    )


def _changes(patch: Patch, files: Mapping[str, bytes]) -> dict[str, Any]:
    """``patch`` by the proposal's fields."""
    before = {path: files[path] for path in patch.paths if path in files}
    sums = {path: hashlib.sha256(content).hexdigest() for path, content in before.items()}
    sources = {path: decode(content) for path, content in before.items()}
    return {
        "originals": tuple(parts.Original(path=path, sha256=sums.get(path)) for path in patch.paths),
        "edits": tuple(
            parts.Edit(path=one.path, start=one.start, end=one.end, text=parts.encoded(one.replacement))
            for one in patch.edits
        ),
        "diff": shown_surrogates(unified_diff(patch, sources)),
    }


def _new_expectations(result: RepairResult, files: Mapping[str, bytes]) -> parts.NewExpectations | None:
    """What outdated tests would assert; None where that was not asked for, or is not for these files."""
    if result.adapted is None or not files.keys() >= set(result.adapted.paths):
        return None
    return parts.NewExpectations(**_changes(result.adapted, files))


def _compared(result: RepairResult) -> str:
    """What the failing tests were before the change, with those that do not count since they failed then."""
    known = dict(result.baseline.before)
    apart = [test for test, _ in result.baseline.apart if known.get(test) is Before.FAILING]
    if not apart:
        return result.baseline.compared
    more = f" and {len(apart) - 1} more" if len(apart) > 1 else ""
    return f"{result.baseline.compared}, which does not count here ({apart[0]}{more})"


def _culprit_lines(result: RepairResult) -> tuple[proposal.CulpritLines, ...]:
    return tuple(
        proposal.CulpritLines(path=path, first=first, last=last)
        for path, (first, last) in (result.culprit.lines if result.culprit else ())[: parts.MAX_LINES]
        if _is_shown(path)
    )


def _culprit_diff(result: RepairResult, files: Mapping[str, bytes]) -> str:
    """The culprit as its author wrote it: from the text without it to the text with it."""
    if result.culprit is None:
        return ""
    paths = {edit.path for edit in result.culprit.edits}
    now = {path: decode(files[path]) for path in paths if path in files}
    try:
        without = apply(Patch(edits=tuple(result.culprit.edits)), now)
    except PatchError:
        return ""
    diff = unified_diff(from_sources(without, now), without)
    return shown_surrogates(diff) if len(diff) <= MAX_CULPRIT_DIFF else ""


def _failing(result: RepairResult) -> tuple[proposal.FailingTest, ...]:
    before = dict(result.baseline.before)
    return tuple(
        proposal.FailingTest(
            test=_cut(one.test, parts.NAME),
            exception=_cut(one.exception, parts.NAME),
            message=_cut(one.message),
            before=before.get(one.test, ""),
        )
        for one in result.baseline.failing[: parts.MAX_TESTS]
    )


def _flaky(result: RepairResult) -> tuple[proposal.FlakyTest, ...]:
    because = dict(result.baseline.unsteady)
    return tuple(
        proposal.FlakyTest(test=_cut(test, parts.NAME), passed=passed, because=_cut(because.get(test, "")))
        for test, passed in result.baseline.flaky[: parts.MAX_TESTS]
    )


def _closest(result: RepairResult) -> tuple[proposal.Tried, ...]:
    return tuple(
        proposal.Tried(explanation=_cut(tried.candidate.explanation), gain=_cut(tried.gain))
        for tried in result.partials[:5]
    )


def _ruled_out(result: RepairResult) -> tuple[proposal.Ruled, ...]:
    return tuple(
        proposal.Ruled(operator=_cut(name, parts.NAME), count=count)
        for name, count in result.ruled_out.operators[: parts.MAX_LINES]
    )


def _suspicious(result: RepairResult) -> tuple[proposal.SuspiciousLine, ...]:
    return tuple(
        proposal.SuspiciousLine(path=at.path, line=at.line, score=min(1.0, max(0.0, at.score)))
        for at in result.suspicions[: parts.MAX_LINES]
        if _is_shown(at.path)
    )


def _verification(evidence: Evidence) -> proposal.Verification:
    return proposal.Verification(
        repaired=len(evidence.fail_to_pass),
        still_passing=len(evidence.pass_to_pass),
        of_change=len(evidence.of_change),
        covering=len(evidence.covering),
        left_out=len(evidence.left_out),
        unseen=evidence.unseen,
        repeats=evidence.repeats,
        controls=len(evidence.controls),
        uncontrolled=len(evidence.uncontrolled),
        doubts=tuple(_cut(doubt) for doubt in evidence.doubts[: parts.MAX_LINES]),
        sandbox=_cut(evidence.sandbox, parts.NAME),
        isolated=evidence.isolated,
        seconds=evidence.seconds,
    )


def _decision(choice: Choice) -> proposal.ProposedChoice:
    return proposal.ProposedChoice(
        basis=choice.basis,
        ambiguous=choice.ambiguous,
        reason=_cut(choice.reason),
        behaviours=choice.behaviours,
        inputs=choice.inputs,
        differences=tuple(
            proposal.Alternative(**{name: _cut(text) for name, text in asdict(one).items()})
            for one in choice.differences[:10]
        ),
    )


def _spent(result: RepairResult) -> proposal.Spent:
    return proposal.Spent(
        attempts=result.attempts,
        calls=result.usage.calls,
        tokens=result.usage.tokens,
        cost=result.usage.cost,
        seconds=result.seconds,
    )


def _cut(text: str, limit: int = parts.TEXT) -> str:
    whole = shown_surrogates(text) if not text.isascii() else text
    return whole if len(whole) <= limit else f"{whole[: limit - 1]}…"


def _is_shown(path: str) -> bool:
    return bool(path) and len(path) <= 1024 and shown_surrogates(path) == path
