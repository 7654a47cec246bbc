"""A result as plain data for ``--json``; its form is documented in docs/exit-status.md and versioned."""

from dataclasses import asdict
from typing import Any

from bot.domain import Attempt, Culprit, Usage
from bot.internal_errors import guarded
from bot.result import Choice, Evidence, Outcome, RepairResult

FORMAT_VERSION = 1
FOR_A_PERSON = 7


def exit_status(result: RepairResult) -> int:
    """0 for a patch, 7 for one that the policy leaves to a person, 1 for none."""
    if result.outcome is not Outcome.PATCHED:
        return 1
    return FOR_A_PERSON if result.warnings else 0


def _choice(choice: Choice) -> dict[str, Any]:
    return {
        "basis": choice.basis.value,
        "ambiguous": choice.ambiguous,
        "share": round(choice.share, 3),
        "reason": choice.reason,
        "behaviours": choice.behaviours,
        "inputs": choice.inputs,
        "differences": [
            {"call": d.call, "chosen": d.chosen, "alternative": d.alternative, "answers": d.other}
            for d in choice.differences
        ],
    }


def plain_data(result: RepairResult) -> dict[str, Any]:
    """``result`` as JSON values. Undecodable bytes in the diff appear as lone surrogates."""
    details: dict[str, Any] = {}
    with guarded("the JSON report"):
        details = _details(result)
    return {
        "version": FORMAT_VERSION,
        "outcome": result.outcome.value,
        "cause": result.cause,
        "reason": result.reason,
        "exit_status": exit_status(result),
        "diff": result.diff,
        "explanation": result.explanation,
        "warnings": list(result.warnings),
        **details,
        "internal_errors": [asdict(error) for error in result.internal_errors],
        "seconds": round(result.seconds, 3),
    }


def _details(result: RepairResult) -> dict[str, Any]:
    partial = result.best_partial
    return {
        "failing_before": [failure.test for failure in result.baseline.failing],
        "flaky": dict(result.baseline.flaky),
        "flaky_because": dict(result.baseline.unsteady),
        "set_apart": dict(result.baseline.apart),
        "before_change": {test: kind.value for test, kind in result.baseline.before},
        "environment": result.environment,
        "baseline_runs": result.baseline.runs,
        "evidence": result.evidence and _evidence(result.evidence),
        "attempts": result.attempts,
        "alternatives": result.alternatives,
        "choice": result.choice and _choice(result.choice),
        "best_partial": partial
        and {"explanation": partial.candidate.explanation, "fixes": list(partial.fixed)},
        "closest": [_closest(attempt) for attempt in result.partials],
        "ruled_out": {
            "operators": dict(result.ruled_out.operators),
            "unchanged": result.ruled_out.unchanged,
            "alike": result.ruled_out.alike,
            "near": result.ruled_out.near,
        },
        "suspicious_lines": [
            {"path": s.path, "line": s.line, "score": round(s.score, 4)} for s in result.suspicions
        ],
        "culprit": result.culprit and _culprit(result.culprit),
        "outdated": [asdict(one) for one in result.outdated],
        "adapted_diff": result.adapted_diff,
        "usage": {
            **_usage(result.usage),
            "models": [{"model": model, **_usage(usage)} for model, usage in result.usage_by_model],
        },
    }


def _culprit(culprit: Culprit) -> dict[str, Any]:
    return {
        "lines": [{"path": path, "first": first, "last": last} for path, (first, last) in culprit.lines],
        "size": culprit.size,
        "changed": culprit.changed,
        "tests": list(culprit.tests),
        "minimal": culprit.minimal,
        "needed": list(culprit.needed),
        "runs": culprit.runs,
        "base": culprit.base,
    }


def _evidence(evidence: Evidence) -> dict[str, Any]:
    return {
        "fail_to_pass": list(evidence.fail_to_pass),
        "pass_to_pass": len(evidence.pass_to_pass),
        "of_change": list(evidence.of_change),
        "covering": len(evidence.covering),
        "left_out": list(evidence.left_out),
        "unseen": evidence.unseen,
        "repeats": evidence.repeats,
        "controls": list(evidence.controls),
        "uncontrolled": dict(evidence.uncontrolled),
        "confidence": evidence.confidence.value,
        "doubts": list(evidence.doubts),
        "sandbox": evidence.sandbox,
        "isolated": evidence.isolated,
        "seconds": round(evidence.seconds, 3),
    }


def _closest(attempt: Attempt) -> dict[str, Any]:
    return {
        "explanation": attempt.candidate.explanation,
        "gain": attempt.gain,
        "progress": round(attempt.progress, 3),
        "fixes": list(attempt.fixed),
        "edits": [
            {"path": edit.path, "start": edit.start, "end": edit.end, "text": edit.replacement}
            for edit in attempt.candidate.patch.edits
        ],
    }


def _usage(usage: Usage) -> dict[str, Any]:
    return {**asdict(usage), "cost": round(usage.cost, 6), "seconds": round(usage.seconds, 3)}
