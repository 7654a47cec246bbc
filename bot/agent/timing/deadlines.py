"""When each phase of a repair has to be over, so that the whole keeps to its budget and can prove a patch.

A phase may begin late and still has until its own moment; what it leaves is for those after it.
"""

from enum import StrEnum

from bot.domain import Baseline
from sandbox.reports import TestStatus

GRACE_S = 5.0
"""So much later than the budget's end a proof may end that began in time."""

MARGIN = 1.5
"""A run of the proof may take so many times what the first run took: nothing is imported there yet."""

SANDBOX_S = 2.0
"""A fresh sandbox."""

MAX_START_S = 5.0
"""At most, for what comes before and after the tests of a run."""

MAX_PROOF_SHARE = 0.25
"""Of the budget, what is kept for the proof at most."""

MAX_WAITED_SHARE = 0.4
"""Of the budget, what is kept for it at most where a patch waits for it: alternatives are worth less."""


class Phase(StrEnum):
    """A part of a repair that takes time, by the words for it in a reason."""

    REPRODUCE = "reproducing the failure"
    REPEAT = "running the failing tests again"
    BEFORE = "running the failing tests on the base"
    LOCALISE = "looking for the place of the fault"
    REHEARSE = "rehearsing the proof"
    CULPRIT = "looking for the culprit"
    SEARCH = "searching"
    EARLY = "proving a patch early"
    MINIMISE = "making the patch small"
    VALIDATE = "proving the patch"


FIRST_RUN_SHARE = 0.3
# Of the budget: the moment by which each phase before the search has to be over.
SHARES = {
    Phase.REPRODUCE: FIRST_RUN_SHARE + 0.05,
    Phase.REPEAT: 0.45,
    Phase.BEFORE: 0.5,
    Phase.LOCALISE: 0.6,
    Phase.REHEARSE: 0.6,
    Phase.CULPRIT: 0.65,
}


def proof_s(baseline: Baseline, *, repeats: int, suite: bool = True) -> float:
    """Seconds that proving a patch takes: the failing tests ``repeats`` times and as controls, ``suite``."""
    ending = sum(one.seconds for one in baseline.failing if one.status is not TestStatus.TIMEOUT)
    whole = suite_s(baseline) if suite else 0.0
    return SANDBOX_S + MARGIN * ((repeats + 1) * (start_s(baseline) + ending) + whole)


def start_s(baseline: Baseline) -> float:
    """Seconds of a run of the failing tests that are no test's: imports, collection, fixtures of the session.

    The first run collected all files; a run of a few tests collects their files only.
    """
    tests = sum(one.seconds for one in (*baseline.failing, *baseline.passing))
    return min(MAX_START_S, max(0.0, baseline.seconds - tests))


def suite_s(baseline: Baseline) -> float:
    """Seconds that the suite takes without the tests that hang: with a patch, these end."""
    hung = sum(one.seconds for one in baseline.failing if one.status is TestStatus.TIMEOUT)
    return max(0.0, baseline.seconds - hung)


def end_of(phase: Phase, budget: float, baseline: Baseline, *, repeats: int) -> float:
    """Seconds after the repair's start at which ``phase`` has to be over; ``budget`` is not 0."""
    if phase in SHARES:
        return SHARES[phase] * budget
    if phase is Phase.VALIDATE:
        return budget + GRACE_S
    if phase in {Phase.SEARCH, Phase.EARLY}:
        return budget - min(MAX_PROOF_SHARE * budget, proof_s(baseline, repeats=repeats))
    # A proof that was made early may have to be made again.
    return (end_of_waiting(budget, baseline, repeats=repeats) + budget) / 2


def end_of_waiting(budget: float, baseline: Baseline, *, repeats: int) -> float:
    """Seconds after the repair's start from which a patch that passes the tests has to be proved."""
    return budget - min(MAX_WAITED_SHARE * budget, proof_s(baseline, repeats=repeats))
