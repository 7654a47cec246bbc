"""One of several plausible patches, and what the choice rests on."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.choice.behaviour import classes
from bot.choice.ranking import Rated, rate, shape_score
from bot.choice.shape import shape_of
from bot.choice.targets import changes_import_time
from bot.domain import Attempt
from bot.internal_errors import guarded
from bot.patch.apply import apply
from bot.result import Basis, Choice, Difference
from sandbox.probes import ProbeOutcome, ProbeReport

MAX_DIFFERENCES = 3
# Scores of behaviour that lie closer decide nothing.
DECISIVE_LEAD = 0.5
FAR = 3.0
NO_REPORT = ProbeReport()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenPatch:
    """The attempt that was chosen, with the evidence on its alternatives."""

    attempt: Attempt
    choice: Choice


def looks(attempt: Attempt, sources: Mapping[str, str]) -> tuple[int, float]:
    """How good ``attempt`` looks before anything is known of what it does; the higher the better."""
    shape = shape_of(attempt.candidate.patch, sources)
    return -shape.flaws, shape_score(shape, attempt.candidate.score)


def choose(
    attempts: Sequence[Attempt], sources: Mapping[str, str], report: ProbeReport = NO_REPORT
) -> ChosenPatch:
    """The most trustworthy of ``attempts``, which must not be empty.

    Args:
        attempts: plausible ones: all pass the same tests.
        sources: what their patches apply to.
        report: a probe whose versions are those of ``attempts`` in this order, then the original program;
            without versions where there was none.
    """
    with guarded("the choice among plausible patches"):
        return _chosen(attempts, sources, report)
    # What each proposer held of its patch is left.
    alternatives = len(attempts) - 1
    basis = Basis.LOOKS if alternatives else Basis.ONLY
    reason = "the patches could not be compared; this one is the likeliest"
    choice = Choice(
        alternatives=alternatives, behaviours=0, inputs=0, basis=basis, reason=reason, share=1 / len(attempts)
    )
    return ChosenPatch(attempt=max(attempts, key=lambda attempt: attempt.candidate.score), choice=choice)


def _chosen(attempts: Sequence[Attempt], sources: Mapping[str, str], report: ProbeReport) -> ChosenPatch:
    vain = _orders_in_vain(attempts, sources)
    shapes = [
        replace(shape_of(attempt.candidate.patch, sources), in_vain=is_vain)
        for attempt, is_vain in zip(attempts, vain, strict=True)
    ]
    further = _further(attempts)
    scores = [attempt.candidate.score for attempt in attempts]
    votes = [attempt.candidate.gap for attempt in attempts]
    rated = rate(shapes, scores, further, report, votes)
    best = max(range(len(attempts)), key=lambda number: rated[number].score)
    tried = _tried(len(attempts), report)
    alike = _alike(attempts, sources, report) if tried[best] else list(range(len(attempts)))
    fellows = [number for number in range(len(attempts)) if alike[number] == alike[best]]
    # Of those that behave alike, the one that looks best.
    best = max(fellows, key=lambda number: (-shapes[number].flaws, rated[number].shape))
    best = _as_the_search_says(best, fellows, attempts, sources)
    apart = [number for number in range(len(attempts)) if alike[number] != alike[best]]
    same = [best, *(one for one in fellows if one != best and not further[one])]
    basis = _basis(best, apart, rated)
    choice = Choice(
        alternatives=len(attempts) - 1,
        behaviours=len({alike[number] for number in range(len(attempts)) if tried[number]}),
        inputs=_compared(best, report) if tried[best] else 0,
        basis=basis,
        reason=_reason(basis, best, apart, tried, report),
        differences=tuple(_differences(best, apart, attempts, report)) if tried[best] else (),
        share=_share(rated, same, apart, further),
    )
    return ChosenPatch(attempt=attempts[best], choice=choice)


def _as_the_search_says(
    best: int, fellows: Sequence[int], attempts: Sequence[Attempt], sources: Mapping[str, str]
) -> int:
    """The search's alternative of the same text as a model's line: it says what it changes."""
    if not attempts[best].candidate.gap:
        return best
    text = apply(attempts[best].candidate.patch, sources)
    others = (number for number in fellows if not attempts[number].candidate.gap)
    alike = (number for number in others if apply(attempts[number].candidate.patch, sources) == text)
    return next(alike, best)


def _alike(attempts: Sequence[Attempt], sources: Mapping[str, str], report: ProbeReport) -> list[int]:
    """The class of behaviour of each; one that changes what runs at import is like no other.

    Calls of functions show little of a constant.
    """
    found = classes(report)
    constants = [changes_import_time(one.candidate.patch, sources) for one in attempts]
    return [-1 - place if constants[place] else found[place] for place in range(len(attempts))]


def _further(attempts: Sequence[Attempt]) -> list[bool]:
    """Which rest on more guesses than another patch that passes as well."""
    least = min(attempt.candidate.guesses for attempt in attempts)
    return [attempt.candidate.guesses > least for attempt in attempts]


def _orders_in_vain(attempts: Sequence[Attempt], sources: Mapping[str, str]) -> list[bool]:
    """Which sort items, or drop equal ones, where another patch that passes makes a plain list of items."""
    made = [
        {
            _maker(sources.get(edit.path, "")[edit.start : edit.end], edit.replacement)
            for edit in one.candidate.patch.edits
        }
        for one in attempts
    ]
    is_enough = any("list" in makers for makers in made)
    return [is_enough and bool({"sorted", "set"} & makers) for makers in made]


def _maker(old: str, new: str) -> str:
    """What ``new`` makes of the items of ``old``; empty where it does something else."""
    if old.startswith("(") and new == f"[{old[1:-1]}]":
        return "list"
    bare = old[1:-1] if old.startswith("(") else old
    name = new.partition("(")[0]
    return name if new in {f"{name}({old})", f"{name}({bare})"} else ""


def _share(
    rated: Sequence[Rated], alike: Sequence[int], apart: Sequence[int], further: Sequence[bool]
) -> float:
    """How much of the weight is with those that behave ``alike``, the best one among them.

    What supports an alternative is in its weight already, as one of those that behave alike. Those that go
    ``further`` and behave otherwise count as one, the likeliest: there are as many as somebody looks for.
    """
    scores = {place: rated[place].shape + rated[place].behaviour for place in (*alike, *apart)}
    most = max(scores.values())
    weights = {place: math.exp(score - most) for place, score in scores.items()}
    mine = sum(weights[place] for place in alike)
    others = sum(weights[place] for place in apart if not further[place])
    return mine / (mine + others + max((weights[place] for place in apart if further[place]), default=0.0))


def _tried(count: int, report: ProbeReport) -> list[bool]:
    """For each attempt whether anything is known of what it does."""
    if len(report.versions) != count + 1:
        return [False] * count
    return [any(version.outcomes) for version in report.versions[:-1]]


def _basis(best: int, apart: Sequence[int], rated: Sequence[Rated]) -> Basis:
    if len(rated) == 1:
        return Basis.ONLY
    if not apart:
        return Basis.ALIKE
    beaten = [one for one in apart if rated[best].behaviour >= rated[one].behaviour + DECISIVE_LEAD]
    score = rated[best].shape + rated[best].behaviour
    # What looks far worse leaves the evidence what it is.
    far = [one for one in apart if rated[one].shape + rated[one].behaviour < score - FAR]
    return Basis.EVIDENCE if beaten and {*beaten, *far} == {*apart} else Basis.LOOKS


def _reason(basis: Basis, best: int, apart: Sequence[int], tried: Sequence[bool], report: ProbeReport) -> str:
    alternatives = len(tried) - 1
    if basis is Basis.ONLY:
        return "no other candidate that was tried passes the tests"
    one = alternatives == 1
    others = "1 other patch also passes" if one else f"{alternatives} other patches also pass"
    others += " all tests"
    if basis is Basis.ALIKE:
        behave = "behaves" if one else "behave"
        return f"{others} and {behave} the same on all {_compared(best, report)} compared inputs"
    if basis is Basis.EVIDENCE:
        return f"{others}; this one was chosen for its results on further inputs or documented examples"
    found = classes(report) if tried[best] else [0] * len(tried)
    differing = sum(tried[number] and found[number] != found[best] for number in apart)
    if tried[best] and not differing and any(tried[number] for number in apart):
        return f"{others}; they change what runs at import, and calls show no difference"
    if not tried[best] or not differing:
        why = f": {report.problem}" if report.problem else ""
        return f"{others}; their behaviour could not be compared{why}"
    behave = " but behaves" if one else f"; {differing} of them {'behaves' if differing == 1 else 'behave'}"
    why = "this one was chosen for its size and likelihood"
    return f"{others}{behave} differently on further inputs; {why}"


def _compared(best: int, report: ProbeReport) -> int:
    return sum(outcome is not None for outcome in report.versions[best].outcomes)


def _differences(
    best: int, apart: Sequence[int], attempts: Sequence[Attempt], report: ProbeReport
) -> Iterator[Difference]:
    """For a few alternatives the first input on which they answer otherwise; near ones first."""
    order = sorted(range(len(report.inputs)), key=lambda place: not report.inputs[place].near)
    shown: set[tuple[str, str]] = set()
    for number in apart:
        for place in order:
            own, other = _outcome(report, best, place), _outcome(report, number, place)
            if own is None or other is None or own.digest == other.digest:
                continue
            call = report.inputs[place].text
            if (call, other.digest) in shown:
                break
            shown.add((call, other.digest))
            explanation = attempts[number].candidate.explanation
            yield Difference(alternative=explanation, call=call, chosen=own.text, other=other.text)
            break
        if len(shown) >= MAX_DIFFERENCES:
            return


def _outcome(report: ProbeReport, version: int, place: int) -> ProbeOutcome | None:
    outcomes = report.versions[version].outcomes
    return outcomes[place] if outcomes else None
