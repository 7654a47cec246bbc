"""The few statistics that the reports give: intervals of shares, quantiles, pass@k, a paired test."""

import math
import random
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

CONFIDENCE = 0.95
RESAMPLES = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """``count`` of ``total``, with the bounds between which the true share lies with 95 % confidence."""

    count: int
    total: int

    @classmethod
    def of(cls, rows: Sequence[Mapping[str, Any]], verdict: str) -> Self:
        """Of ``rows`` those whose ``verdict`` holds; where nobody judged, it does not."""
        return cls(count=sum(row.get(verdict) is True for row in rows), total=len(rows))

    @property
    def value(self) -> float:
        """The share; 0 of nothing is 0."""
        return self.count / self.total if self.total else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The score interval of Wilson (1927), which holds for few tasks and for shares near 0 and 1."""
        if not self.total:
            return 0.0, 1.0
        z = statistics.NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
        n, p = self.total, self.value
        centre = p + z * z / (2 * n)
        margin = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        scale = 1 + z * z / n
        # The share lies within, which rounding may miss by a hair where all or none of them count.
        return max(0.0, min(p, (centre - margin) / scale)), min(1.0, max(p, (centre + margin) / scale))

    def __str__(self) -> str:
        return f"{self.count}/{self.total} = {bounded(self.value, *self.interval)}"


def quantile(values: Sequence[float], share: float) -> float | None:
    """The value below which ``share`` of ``values`` lies, interpolated; None where there are none."""
    if not values:
        return None
    ordered = sorted(values)
    position = share * (len(ordered) - 1)
    low = math.floor(position)
    high = math.ceil(position)
    return ordered[low] + (ordered[high] - ordered[low]) * (position - low)


def pass_at_k(samples: int, passed: int, k: int) -> float:
    """The chance that of ``k`` samples one at least passes, unbiased (Chen et al., 2021).

    ``passed`` of ``samples`` did, and ``k`` is at most ``samples``.
    """
    return 1.0 - math.comb(samples - passed, k) / math.comb(samples, k)


def mean_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """The mean of ``values``, one a task, and the bounds of 95 % of what drawing the tasks anew gives."""
    if not values:
        return 0.0, 0.0, 1.0
    dice = random.Random(0)  # noqa: S311 - the same figures for the same run
    means = [statistics.fmean(dice.choices(values, k=len(values))) for _ in range(RESAMPLES)]
    low, high = (quantile(means, share) or 0.0 for share in ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2))
    return statistics.fmean(values), low, high


def bounded(value: float, low: float, high: float) -> str:
    """A figure with its bounds."""
    return f"{value:.3f} [{low:.3f}, {high:.3f}]"


def mcnemar(gained: int, lost: int) -> float:
    """The two-sided exact p-value of McNemar's test on ``gained`` and ``lost`` discordant pairs."""
    changed = gained + lost
    if not changed:
        return 1.0
    tail: float = sum(math.comb(changed, k) for k in range(min(gained, lost) + 1)) / 2**changed
    return min(1.0, 2 * tail)
