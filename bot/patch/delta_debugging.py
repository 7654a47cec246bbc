"""Delta debugging: a smallest set of parts that still has an effect, by trying ever finer subsets.

Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", IEEE TSE 28(2), 2002: ``ddmin``.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Smallest(Generic[T]):
    """What is left; ``minimal`` says that without any one of the ``parts`` the effect is gone."""

    parts: tuple[T, ...]
    minimal: bool


def smallest(parts: Sequence[T], has_effect: Callable[[Sequence[T]], bool | None]) -> Smallest[T]:
    """A 1-minimal subset of ``parts`` that ``has_effect``, in their order; all of them together do.

    ``has_effect`` gives None when it may not be asked any more: then the smallest set so far is given.
    """
    known: dict[tuple[T, ...], bool] = {}
    current, count = tuple(parts), 2
    while len(current) > 1:
        count = min(count, len(current))
        for chosen, next_count in _subsets(current, count):
            if chosen not in known:
                asked = has_effect(chosen)
                if asked is None:
                    return Smallest(parts=current, minimal=False)
                known[chosen] = asked
            if known[chosen]:
                current, count = chosen, next_count
                break
        else:
            if count == len(current):
                break
            count *= 2
    return Smallest(parts=current, minimal=True)


def _subsets(parts: tuple[T, ...], count: int) -> list[tuple[tuple[T, ...], int]]:
    """``count`` chunks of ``parts``, then what is left without each; each with the next number of chunks."""
    bounds = [len(parts) * number // count for number in range(count + 1)]
    pairs = list(pairwise(bounds))
    chunks = [(parts[low:high], 2) for low, high in pairs]
    rests = [((*parts[:low], *parts[high:]), max(2, count - 1)) for low, high in pairs]
    return chunks + (rests if count > 2 else [])  # of two, each rest is the other chunk
