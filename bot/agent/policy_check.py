"""What the policy says of a candidate, with the project's sources and the values of its tests."""

from bot.agent.proof.beside import Beside
from bot.agent.state import RepairContext
from bot.domain import Candidate
from bot.errors import PatchError
from bot.patch.apply import apply
from bot.patch.policy.content import content_findings
from bot.patch.policy.finding import Findings
from bot.patch.policy.gate import Judgement, judge


def objection(candidate: Candidate, context: RepairContext) -> str:
    """Why ``candidate`` may not be delivered; empty when it may."""
    try:
        apply(candidate.patch, context.sources)
    except PatchError as error:
        return str(error)
    return "; ".join(judged(candidate, context).refused)


def judged(candidate: Candidate, context: RepairContext) -> Judgement:
    """All that the policy says of ``candidate``, asked once: several steps of the loop want to know it."""
    judge_ahead(candidate, context)
    return context.judgements[candidate.patch].get()


def judge_ahead(candidate: Candidate, context: RepairContext) -> None:
    """Begin to ask the policy of ``candidate``: that takes seconds where a module is large."""

    def work() -> Judgement:
        literals = context.test_literals()
        return judge(candidate.patch, context.sources, context.policy, test_literals=literals)

    context.judgements.setdefault(candidate.patch, Beside("policy")).begin(work)


def read_ahead(path: str, context: RepairContext) -> None:
    """Have the policy read ``path`` as it is, beside what goes on: a patch of it is judged sooner then."""
    text = context.sources[path]
    Beside[Findings]("policy").begin(lambda: content_findings(path, text, text, frozenset()))
