"""Verdicts on single tests of a real library, and whether the size of the suite matters to them.

For each of some tests, a candidate is taken from the search that makes it fail. Its verdict is timed in
the whole library and in a copy without the other files of tests, next to the test's own time, to a whole run
of pytest for that test, and to the bare command: pytest for that test outside of any sandbox.
"""

import io
import os
import statistics
import subprocess
import tarfile
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from bot.patch.apply import apply
from bot.patch.text import decode, encode
from bot.ports import Testbed
from bot.search.candidates import candidates
from bot.search.spectra import suspicious_lines
from sandbox import owner
from sandbox.bubblewrap import WORKSPACE
from sandbox.reports import TestResult
from sandbox.snapshot import Snapshot
from sandbox.testing import SandboxTestbeds

ROUNDS = 15
TRIED = 30
WHOLE_ROUNDS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class OneTest:
    """Medians in seconds; ``own_s`` is what pytest says that setup, call and teardown took.

    ``bare_s`` is the command that a person types for this test, from its start to its end.
    """

    test: str
    own_s: float
    verdict_s: float
    alone_s: float
    whole_s: float
    bare_s: float


def measure(testbeds: SandboxTestbeds, *, tests: int) -> tuple[int, list[OneTest]]:
    """The number of tests that pass, and measurements of ``tests`` of them, the slow ones and the usual."""
    with testbeds.open() as bed:
        passing = bed.run().passing
        measured = [
            _measure(testbeds, bed, result, changes)
            for result in _chosen(passing, tests)
            if (changes := _failing_change(testbeds.snapshot, bed, result))
        ]
    return len(passing), measured


def _chosen(passing: Sequence[TestResult], count: int) -> list[TestResult]:
    by_time = sorted(passing, key=lambda result: -result.seconds)
    middle = len(by_time) // 2
    return [*by_time[: count - count // 2], *by_time[middle : middle + count // 2]]


def _failing_change(snapshot: Snapshot, bed: Testbed, result: TestResult) -> dict[str, bytes]:
    """The first candidate on the lines that the test executes which makes it fail by a quick verdict."""
    sources = {path: decode(data) for path, data in snapshot.files.items() if path.endswith(".py")}
    traced = bed.run(tests=[result.test], trace=True).results
    suspicions = suspicious_lines(traced, (), lambda path: path in sources and "test" not in path)
    for candidate in islice(candidates(sources, suspicions), TRIED):
        changes = {path: encode(text) for path, text in apply(candidate.patch, sources).items()}
        report = bed.run(tests=[result.test], changes=changes, quick=True)
        if any(seen.status.value in {"failed", "error"} for seen in report.results):
            return changes
    return {}


def _measure(
    testbeds: SandboxTestbeds, bed: Testbed, result: TestResult, changes: Mapping[str, bytes]
) -> OneTest:
    own = [bed.run(tests=[result.test]).results[0].seconds for _ in range(WHOLE_ROUNDS)]
    alone = replace(testbeds, snapshot=_without_others(testbeds.snapshot, result.test))
    with alone.open() as lonely:
        lonely.run(tests=None)
        alone_s = statistics.median(_quick(lonely, result.test, changes))
    return OneTest(
        test=result.test,
        own_s=statistics.median(own),
        verdict_s=statistics.median(_quick(bed, result.test, changes)),
        alone_s=alone_s,
        whole_s=statistics.median(_whole(bed, result.test)),
        bare_s=statistics.median(_bare(testbeds, result.test)),
    )


def _quick(bed: Testbed, test: str, changes: Mapping[str, bytes]) -> Iterator[float]:
    for number in range(ROUNDS + 1):
        started = time.perf_counter()
        report = bed.run(tests=[test], changes=changes, quick=True)
        assert report.failing, "the candidate was chosen because the test fails with it"
        if number:
            yield time.perf_counter() - started


def _whole(bed: Testbed, test: str) -> Iterator[float]:
    for _ in range(WHOLE_ROUNDS):
        started = time.perf_counter()
        bed.run(tests=[test])
        yield time.perf_counter() - started


def _bare(testbeds: SandboxTestbeds, test: str) -> Iterator[float]:
    argv = [testbeds.spec.python, "-m", "pytest", "-q", test]
    with tempfile.TemporaryDirectory(prefix=owner.mark() + "bench-") as directory:
        with tarfile.open(fileobj=io.BytesIO(testbeds.snapshot.archive())) as archive:
            archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Python has it since 3.11.4
            archive.extractall(directory)  # noqa: S202 - a snapshot holds nothing but files in it
        # The environment was made for the place where a sandbox has the project.
        moved = {name: value.replace(WORKSPACE, directory) for name, value in testbeds.environment.items()}
        for _ in range(WHOLE_ROUNDS):
            started = time.perf_counter()
            subprocess.run(argv, cwd=directory, env={**os.environ, **moved}, capture_output=True, check=True)
            yield time.perf_counter() - started


def _without_others(snapshot: Snapshot, test: str) -> Snapshot:
    """The project with the one file of tests."""
    kept = test.split("::", maxsplit=1)[0]

    def is_other(path: str) -> bool:
        name = path.rpartition("/")[2]
        return path != kept and name.startswith("test_") and name.endswith(".py")

    return replace(snapshot, entries=tuple(entry for entry in snapshot.entries if not is_other(entry.path)))
