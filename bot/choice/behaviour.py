"""What a probe shows about alternatives: which behave alike, which crash, which keep to what the tests show.

Alternatives pass the same tests, so they are distinguished on variations of the tests' inputs. No oracle says
which answer is right there. What speaks against an alternative is that it crashes or answers in another type
where others do not, that it gives many inputs the same answer, and that it changes much where the project was
right.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from sandbox.probes import Ending, Kept, ProbeOutcome, ProbeReport

# Where no alternative has more different answers than yes and no, having both means little.
FEW = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Behaviour:
    """One alternative's behaviour; shares are in [0, 1].

    ``violated``: documented examples that it violates and some alternative keeps. ``crashes``: the share of
    near inputs on which it raises or hangs, while the original program, or most alternatives, answer.
    ``odd_types``: the share on which it answers in a type that no test's own input has: that of the original
    program where alternatives agree with it, or of all alternatives. ``variety``: how many different answers
    it has, as a share of the most that an alternative has; 1 where those are few. ``steady``: the share of
    unchanged answers around inputs that the original program handled rightly; None where there are none.
    """

    violated: int = 0
    crashes: float = 0.0
    odd_types: float = 0.0
    variety: float = 1.0
    steady: float | None = None


def behaviours(report: ProbeReport, weights: Sequence[float]) -> list[Behaviour]:
    """The behaviour of each alternative.

    Args:
        report: its versions are the alternatives and, as the last one, the original program.
        weights: how much each alternative counts where most of them are asked for.
    """
    alternatives = report.versions[:-1]
    violated = _violations(report)
    known = [bool(version.outcomes) and not version.problem for version in alternatives]
    if not any(known):
        return [Behaviour(violated=count) for count in violated]
    reader = _Reader(report, weights, known)
    return [
        reader.behaviour(number, violated[number]) if known[number] else Behaviour(violated=violated[number])
        for number in range(len(alternatives))
    ]


def classes(report: ProbeReport) -> list[int]:
    """For each alternative the first one that it cannot be distinguished from; itself where unknown."""
    alternatives = report.versions[:-1]
    numbers: list[int] = []
    for number, version in enumerate(alternatives):
        alike = (
            earlier
            for earlier in range(number)
            if numbers[earlier] == earlier and _alike(alternatives[earlier].outcomes, version.outcomes)
        )
        numbers.append(next(alike, number))
    return numbers


def _alike(one: Sequence[ProbeOutcome | None], other: Sequence[ProbeOutcome | None]) -> bool:
    """Whether two versions were compared on some input, and on none of them differ."""
    both = [(a, b) for a, b in zip(one, other, strict=False) if a is not None and b is not None]
    return bool(both) and all(a.digest == b.digest for a, b in both)


def _violations(report: ProbeReport) -> list[int]:
    alternatives = report.versions[:-1]
    counts = [0] * len(alternatives)
    for place in range(max((len(version.examples) for version in alternatives), default=0)):
        verdicts = [
            version.examples[place] if place < len(version.examples) else None for version in alternatives
        ]
        if Kept.KEPT in verdicts:  # what nobody keeps is no example, or an outdated one
            for number, verdict in enumerate(verdicts):
                counts[number] += verdict is Kept.VIOLATED
    return counts


class _Reader:
    """The outcomes by input, with what is usual on each."""

    def __init__(self, report: ProbeReport, weights: Sequence[float], known: Sequence[bool]) -> None:
        self._inputs = report.inputs
        self._alternatives = report.versions[:-1]
        self._original = report.versions[-1].outcomes or (None,) * len(report.inputs)
        self._weights = [weight if known[number] else 0.0 for number, weight in enumerate(weights)]
        self._near = [place for place, entry in enumerate(report.inputs) if entry.near]
        self._varied = [place for place in self._near if report.inputs[place].parent != place]
        self._kinds = self._usual_kinds()
        self._distinct = [self._answers(version.outcomes) for version in self._alternatives]

    def behaviour(self, number: int, violated: int) -> Behaviour:
        own = self._alternatives[number].outcomes
        tried = [place for place in self._near if own[place] is not None]
        crashes = sum(self._crashes(own[place], place, number) for place in tried)
        odd = sum(self._is_odd(own[place], place) for place in tried)
        return Behaviour(
            violated=violated,
            crashes=crashes / len(tried) if tried else 0.0,
            odd_types=odd / len(tried) if tried else 0.0,
            variety=self._distinct[number] / most if (most := max(self._distinct)) >= FEW else 1.0,
            steady=self._steadiness(own),
        )

    def _answers(self, outcomes: Sequence[ProbeOutcome | None]) -> int:
        """How many different ones there are to near inputs on which every alternative's answer is known."""
        known = [version.outcomes for version in self._alternatives if version.outcomes]
        common = [place for place in self._near if all(found[place] is not None for found in known)]
        near = (outcomes[place] for place in common if outcomes)
        return len({found.digest for found in near if found and found.ending is Ending.VALUE})

    def _usual_kinds(self) -> dict[int, set[str]]:
        """The types of right answers to the tests' own inputs, by function."""
        kinds: dict[int, set[str]] = defaultdict(set)
        for place, entry in enumerate(self._inputs):
            if entry.parent != place:
                continue
            before = self._original[place]
            found = [version.outcomes[place] for version in self._alternatives if version.outcomes]
            answers = [outcome for outcome in found if outcome and outcome.ending is Ending.VALUE]
            met = {_outer(outcome.kind) for outcome in answers}
            # The original program's type is right where an alternative, which passes the tests, has it, too.
            if before and before.ending is Ending.VALUE and _outer(before.kind) in met:
                kinds[entry.target].add(_outer(before.kind))
            elif len(met) == 1:
                kinds[entry.target] |= met
        return kinds

    def _crashes(self, outcome: ProbeOutcome | None, place: int, number: int) -> bool:
        if outcome is None or outcome.ending is Ending.VALUE:
            return False
        before = self._original[place]
        if before is not None and before.ending is Ending.VALUE:
            return True
        return self._answering(place, number) > 0.5

    def _is_odd(self, outcome: ProbeOutcome | None, place: int) -> bool:
        kinds = self._kinds[self._inputs[place].target]
        if outcome is None or outcome.ending is not Ending.VALUE:
            return False
        return bool(kinds) and _outer(outcome.kind) not in kinds

    def _answering(self, place: int, number: int) -> float:
        """The weight of the other alternatives that answer, as a share of all whose outcome is known."""
        total = answering = 0.0
        for other, version in enumerate(self._alternatives):
            outcome = version.outcomes[place] if version.outcomes else None
            if other != number and outcome is not None:
                total += self._weights[other]
                answering += self._weights[other] * (outcome.ending is Ending.VALUE)
        return answering / total if total else 0.0

    def _steadiness(self, own: Sequence[ProbeOutcome | None]) -> float | None:
        kept: list[bool] = []
        for place in self._varied:
            now, before = own[place], self._original[place]
            parent = self._inputs[place].parent
            was, became = self._original[parent], own[parent]
            if now and before and was and became and was.digest == became.digest:
                kept.append(now.digest == before.digest)
        return sum(kept) / len(kept) if kept else None


def _outer(kind: str) -> str:
    return kind.partition("[")[0]
