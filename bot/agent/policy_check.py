"""What the policy says of a candidate, with the project's sources and the values of its tests."""

from bot.agent.state import RepairContext
from bot.domain import Candidate
from bot.errors import PatchError
from bot.patch.apply import apply
from bot.patch.policy.gate import Judgement, judge


def objection(candidate: Candidate, context: RepairContext) -> str:
    """Why ``candidate`` may not be delivered; empty when it may."""
    try:
        apply(candidate.patch, context.sources)
    except PatchError as error:
        return str(error)
    return "; ".join(judged(candidate, context).refused)


def warnings(candidate: Candidate, context: RepairContext) -> tuple[str, ...]:
    """Why a person has to read ``candidate`` before anything is done with it; empty when nobody has to."""
    return judged(candidate, context).shown


def judged(candidate: Candidate, context: RepairContext) -> Judgement:
    """All that the policy says of ``candidate``, asked once: several steps of the loop want to know it."""
    known = context.judgements.get(candidate.patch)
    if known is None:
        literals = context.test_literals()
        known = judge(candidate.patch, context.sources, context.policy, test_literals=literals)
        context.judgements[candidate.patch] = known
    return known
