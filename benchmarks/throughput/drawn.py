"""The mutants that all tools judge: cosmic-ray's, drawn by a seed, in covered bodies of functions."""

from collections.abc import Container, Mapping, Sequence
from pathlib import Path

from benchmarks.seeded.mutants import Mutant, mutants
from bot.patch.text import decode
from sandbox.snapshot import Snapshot

# Drawn for each that is wanted, and then again: some lie outside of functions, or in ones with decorators.
DRAWN_PER_MUTANT = 3, 15


def covered(mutant: Mutant, source: str, lines: Container[int]) -> bool:
    """Whether the place that ``mutant`` changes is on one of ``lines`` (1-based)."""
    places = (mutant.start, max(mutant.start, mutant.end))
    first, last = (source.count("\n", 0, place) + 1 for place in places)
    return any(line in lines for line in range(first, last + 1))


def in_covered_lines(
    snapshot: Snapshot, lines: Mapping[str, Container[int]], *, seed: str, count: int, cache: Path
) -> list[Mutant]:
    """Mutants of cosmic-ray's on ``lines``, in the order in which the seed draws them.

    Raises:
        MachineError: the tool cannot be installed or fails.
    """
    sources = {path: decode(snapshot.files[path]) for path in sorted(lines)}
    drawn = mutants(sources, seed=seed, count=count, cache=cache)
    return [one for one in drawn if covered(one, sources[one.path], lines[one.path])]


def plain(found: Sequence[Mutant]) -> list[list[object]]:
    """As the drivers read them."""
    return [[one.path, one.start, one.end, one.replacement] for one in found]
