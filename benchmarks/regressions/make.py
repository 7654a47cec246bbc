"""Make cases of a pair of releases: faults that tests of the newer one notice, one test function shown."""

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from benchmarks.libraries.environment import Environment
from benchmarks.libraries.seeding import COLLECTED, executed
from benchmarks.regressions.faults import as_data, changed_lines, lost, mixed, without
from benchmarks.seeded.mutants import Mutant, covered, in_covered_lines
from bot.patch.text import decode, encode
from sandbox.lasting import LastingTestbed
from sandbox.reports import TestStatus

DRAWN, TRACED, MAX_NEAR = 120, 600, 60
MAX_BROKEN = 30
"""Functions of tests that may notice a fault: what breaks all is nothing that a person submits."""
MAX_SECONDS = 240


@dataclass(frozen=True, slots=True, kw_only=True)
class Maker:
    """Makes ``count`` cases out of ``environment``, which has the newer release; ``older`` is a directory."""

    name: str
    environment: Environment
    older: Path
    count: int
    seed: str
    cache: Path
    say: Callable[[str], None]

    def cases(self) -> Iterator[dict[str, Any]]:
        """So many cases, as far as they are found in ``MAX_SECONDS``.

        Raises:
            sandbox.errors.SandboxError: the sandbox failed.
            MachineError: the tool that mutates cannot be installed or fails.
        """
        dice = random.Random(self.seed)  # noqa: S311 - a sample, not a secret
        with self.environment.beds.open() as bed:
            passing = frozenset(one.test for one in bed.run().passing)
            chosen = sorted(dice.sample(sorted(passing), min(TRACED, len(passing))))
            lines = executed(bed.run(tests=chosen, trace=True), self.environment.snapshot)
            end = time.monotonic() + MAX_SECONDS
            made = 0
            for tried, fault in enumerate(self._drawn(lines), start=1):
                if made == self.count or time.monotonic() > end:
                    return
                broken = self._broken(bed, fault, lines[fault.path], passing)
                if broken:
                    made += 1
                    self.say(f"{self.name}: {made} of {self.count}, {tried} faults tried")
                    yield self._case(fault, broken, dice)

    def _drawn(self, lines: Mapping[str, Mapping[int, list[str]]]) -> Iterator[Mutant]:
        """Faults on executed lines of changed functions: an older line, a lost statement, two mutants, ..."""
        near: dict[str, frozenset[int]] = {}
        mixtures: list[list[Mutant]] = []
        losses: list[list[Mutant]] = []
        for path, numbers in sorted(lines.items()):
            place = self.older / path
            if not place.is_file():
                continue
            before, after = decode(place.read_bytes()), decode(self.environment.snapshot.files[path])
            if changed := changed_lines(before, after) & numbers.keys():
                near[path] = changed
                for found, faults in ((mixtures, mixed), (losses, lost)):
                    some = faults(path, before, after, seed=self.seed)
                    found.append([one for one in some if covered(one, after, changed)])
        drawn = in_covered_lines(
            self.environment.snapshot, near, seed=self.seed, count=DRAWN, cache=self.cache
        )
        yield from _in_turn([_in_turn(mixtures), _in_turn(losses), drawn[::2], drawn[1::2]])

    def _broken(
        self, bed: LastingTestbed, fault: Mutant, lines: Mapping[int, list[str]], passing: frozenset[str]
    ) -> list[str]:
        """The tests that passed and fail with ``fault``; none where these are none or too many."""
        original = self.environment.snapshot.files[fault.path]
        text = decode(original)
        first, last = (text.count("\n", 0, place) + 1 for place in (fault.start, fault.end))
        near = list(dict.fromkeys(test for n in range(first, last + 1) for test in lines.get(n, ())))
        laid = {fault.path: encode(fault.apply(text))}
        report = bed.run(tests=near[:MAX_NEAR], changes=laid, stop_at_first_failure=True)
        if not any(one.status is TestStatus.FAILED for one in report.results):
            return []
        report = bed.run(changes=laid)
        found = sorted(one.test for one in report.failing if one.test in passing)
        whole = report.complete and len(report.results) >= COLLECTED * len(passing)
        return found if whole and len({_function(one) for one in found}) <= MAX_BROKEN else []

    def _case(self, fault: Mutant, broken: list[str], dice: random.Random) -> dict[str, Any]:
        """One failing function is shown; the others are hidden, where their files can be without them."""
        functions = sorted({_function(one) for one in broken})
        one = dice.choice(functions)
        hidden: dict[str, list[str]] = {}
        for function in functions:
            path = function.partition("::")[0]
            if function != one and path in self.environment.snapshot.files:
                hidden.setdefault(path, []).append(function)
        texts = self.environment.snapshot.files
        kept = {path: tests for path, tests in hidden.items() if without(decode(texts[path]), tests)}
        return as_data(fault, [test for test in broken if _function(test) == one], kept)


def _in_turn(lists: Sequence[Sequence[Mutant]]) -> list[Mutant]:
    return [one for one in chain.from_iterable(zip_longest(*lists)) if one]


def _function(test: str) -> str:
    return test.partition("[")[0]
