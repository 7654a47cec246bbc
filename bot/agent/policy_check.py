"""What the policy says of a candidate, with the project's sources and the values of its tests."""

from bot.agent.state import RepairContext
from bot.domain import Candidate
from bot.errors import PatchError
from bot.patch.apply import apply
from bot.patch.policy.gate import check, judge


def objection(candidate: Candidate, context: RepairContext) -> str:
    """Why ``candidate`` may not be delivered; empty when it may."""
    try:
        apply(candidate.patch, context.sources)
    except PatchError as error:
        return str(error)
    literals = context.test_literals()
    return "; ".join(check(candidate.patch, context.sources, context.policy, test_literals=literals))


def warnings(candidate: Candidate, context: RepairContext) -> tuple[str, ...]:
    """Why a person has to read ``candidate`` before anything is done with it; empty when nobody has to."""
    literals = context.test_literals()
    return judge(candidate.patch, context.sources, context.policy, test_literals=literals).shown
