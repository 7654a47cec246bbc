"""Learn from real fixes how likely each operator is, and judge that on repositories it did not learn from.

The reasoned prior stays the base: a factor moves it as far as the counts support (a Poisson rate with a Gamma
prior around 1; Robbins, "An empirical Bayes approach to statistics", 1956).
"""

import hashlib
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

# The prior counts as much as so many fixes, and no factor is outside of these bounds.
STRENGTH = 3.0
LEAST, MOST = 0.1, 5.0
PLACES = (1, 10, 100, 1000)


@dataclass(frozen=True, slots=True)
class Looked:
    """A fix that was looked for: its repository, the place of the fix (0: none), and what was drawn.

    ``drawn`` has the origin and score of each candidate, where one of them is the fix. ``made`` and ``mass``
    are the number and the summed score of each origin's candidates.
    """

    repository: str
    kind: str
    size: int
    rank: int
    origin: str
    made: Mapping[str, int]
    mass: Mapping[str, float]
    drawn: Sequence[tuple[str, float]] = ()


@dataclass(frozen=True, slots=True)
class Ranks:
    """The places of the true fix over several fixes: the median, and the share within each of ``PLACES``."""

    median: float
    within: tuple[float, ...]

    @staticmethod
    def of(ranks: Sequence[int]) -> "Ranks":
        """Of at least one rank."""
        shares = tuple(sum(rank <= place for rank in ranks) / len(ranks) for place in PLACES)
        return Ranks(statistics.median(ranks), shares)


def is_training(repository: str) -> bool:
    """Whether a repository belongs to the half that is learned from; its name alone decides."""
    return hashlib.sha256(repository.lower().encode()).digest()[0] % 2 == 0


def learn(looked: Iterable[Looked]) -> dict[str, float]:
    """A factor for the prior of each operator that drew candidates for these fixes."""
    hits: Counter[str] = Counter()
    mass: Counter[str] = Counter()
    for one in looked:
        mass.update(one.mass)
        if one.rank:
            hits[one.origin] += 1
    scale = sum(hits.values()) / (sum(mass.values()) or 1.0)
    factors = {name: (hits[name] + STRENGTH) / (mass[name] * scale + STRENGTH) for name in mass}
    return {name: round(min(MOST, max(LEAST, factor)), 2) for name, factor in sorted(factors.items())}


def rank_with(looked: Looked, factors: Mapping[str, float]) -> int:
    """Where the fix stands when each candidate's score is multiplied by its operator's factor."""
    scores = [score * factors.get(origin, 1.0) for origin, score in looked.drawn]
    own = scores[looked.rank - 1]
    before = sum(score > own for score in scores)
    return before + 1 + sum(score == own for score in scores[: looked.rank - 1])
