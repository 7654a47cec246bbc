"""Which of several plausible patches to deliver: plausible is not correct, so choose by evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.domain import Attempt, Patch
from bot.patch.diff import changed_lines


def choose(attempts: Sequence[Attempt], sources: Mapping[str, str]) -> Attempt:
    """The most trustworthy of ``attempts``, which must not be empty.

    A patch that only takes code away often passes because it takes behaviour away (Qi et al., "An
    Analysis of Patch Plausibility and Correctness", ISSTA 2015), so it comes last; then the smaller
    change, then the proposer's own score.
    """

    def rank(attempt: Attempt) -> tuple[bool, int, float]:
        patch = attempt.proposal.patch
        return only_deletes(patch), changed_lines(patch, sources), -attempt.proposal.score

    return min(attempts, key=rank)


def only_deletes(patch: Patch) -> bool:
    """Whether every edit removes text and puts nothing, or ``pass``, in its place."""
    return all(edit.start < edit.end and edit.text.strip() in {"", "pass"} for edit in patch.edits)
