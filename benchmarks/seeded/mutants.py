"""Mutants of a library's modules, drawn by cosmic-ray in an environment of its own.

The tool parses the modules and runs none of them, so it needs no sandbox.
"""

import json
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.runs.tools import environment, printed
from bot.patch.text import decode
from sandbox.snapshot import Snapshot

TOOL = ("cosmic-ray==8.7.0", "parso==0.8.7")
PROGRAM = Path(__file__).resolve().parent.parent / "inside" / "mutants.py"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A module with one change: ``text[start:end]`` of the original became ``replacement``."""

    path: str
    operator: str
    occurrence: int
    start: int
    end: int
    replacement: str

    def apply(self, original: str) -> str:
        """The mutated module."""
        return original[: self.start] + self.replacement + original[self.end :]


def mutants(modules: Mapping[str, str], *, seed: str, count: int, cache: Path) -> Iterator[Mutant]:
    """Up to ``count`` distinct mutants of ``modules`` (text by path), the same ones for the same seed.

    Raises:
        MachineError: the tool cannot be installed or fails.
    """
    python = environment(TOOL, directory=cache / "tools")
    order = json.dumps({"modules": dict(modules), "seed": seed, "count": count})
    for line in printed("cosmic-ray", [str(python), "-I", str(PROGRAM)], sent=order).splitlines():
        plain = json.loads(line)
        text = plain.pop("text")
        start, end, replacement = changed_span(modules[plain["path"]], text)
        yield Mutant(**plain, start=start, end=end, replacement=replacement)


def changed_span(before: str, after: str) -> tuple[int, int, str]:
    """The smallest span of ``before`` whose replacement gives ``after``, and the replacement."""
    shorter = min(len(before), len(after))
    start = next((i for i in range(shorter) if before[i] != after[i]), shorter)
    rest = shorter - start
    tail = next((i for i in range(rest) if before[-1 - i] != after[-1 - i]), rest)
    return start, len(before) - tail, after[start : len(after) - tail]


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
