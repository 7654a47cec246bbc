"""Looks around a patch that a model, an agent or a person wrote: do its neighbours fail the tests?

The search looks around its own first patch anyway. What passes here is no alternative: whoever wrote the
patch may know more than the tests. It only makes the confidence low.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice

from bot.agent.state import RepairContext, RepairState
from bot.agent.timing.deadlines import Phase
from bot.agent.trial.evaluation import try_candidate
from bot.choice.behaviour import classes
from bot.domain import Attempt, TriedNeighbours, Verdict
from bot.internal_errors import guarded
from bot.search.neighbours import neighbours
from sandbox.probes import ProbeReport

MOST, LONGEST_S, SHARE = 40, 10.0, 0.2
"""So many neighbours, for so many seconds, and for no more than this share of what is left."""


Compare = Callable[[Sequence[Attempt]], ProbeReport]


def look_around(
    chosen: Attempt, state: RepairState, context: RepairContext, compare: Compare
) -> TriedNeighbours | None:
    """What became of changes of the same lines; None where nobody is to look.

    ``compare`` reports how patches behave: those that do what ``chosen`` does, speak for it.
    """
    if not chosen.candidate.turn or not context.request.search.alternatives:
        return None
    context.progress.stage("around", "trying other changes of the same lines")
    tried, passing = 0, list[Attempt]()
    is_all = False
    end = context.stopwatch.elapsed + min(LONGEST_S, SHARE * context.left(Phase.MINIMISE, state.baseline))
    with guarded("the neighbours of a patch"):
        found = neighbours(chosen.candidate, context.sources, state.baseline.failing)
        for candidate in islice(found, MOST):
            if context.stopwatch.elapsed >= end:
                break
            exactly = replace(candidate, patient=True)
            attempt = try_candidate(exactly, state.baseline, context, further=True)
            tried += 1
            passing += [attempt] if attempt.verdict is Verdict.PLAUSIBLE else []
        else:
            is_all = tried < MOST
    return TriedNeighbours(tried=tried, passing=_otherwise([chosen, *passing], compare), is_all=is_all)


def _otherwise(attempts: Sequence[Attempt], compare: Compare) -> int:
    """How many behave otherwise than the first, or could not be compared with it."""
    if len(attempts) == 1:
        return 0
    with guarded("the comparison of a patch's neighbours"):
        report = compare(attempts)
        if len(report.versions) == len(attempts) + 1 and report.versions[0].outcomes:
            found = classes(report)
            return sum(one != found[0] for one in found[1 : len(attempts)])
    return len(attempts) - 1
