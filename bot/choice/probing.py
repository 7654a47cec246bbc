"""What to ask a probe about a set of plausible patches."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.choice.examples import examples
from bot.choice.targets import changed_functions
from bot.domain import Attempt, Baseline
from bot.patch.apply import apply
from sandbox.probes import ProbeReport, ProbeRequest
from sandbox.reports import TestResult, TestStatus

MAX_TESTS = 60
MAX_TEST_SECONDS = 2.0
TIME_FACTOR, TIME_FLOOR_S = 5.0, 1.0


def probe_request(
    attempts: Sequence[Attempt], sources: Mapping[str, str], baseline: Baseline
) -> ProbeRequest | None:
    """How ``attempts`` and, last, the original program behave; None where no function distinguishes them.

    The inputs are recorded on the first attempt: the original program fails some tests half way.
    """
    changed = [apply(attempt.candidate.patch, sources) for attempt in attempts]
    paths = sorted({path for texts in changed for path in texts})
    if any(path not in sources for path in paths):
        return None
    original = {path: sources[path] for path in paths}
    versions = [{**original, **texts} for texts in changed]
    targets = changed_functions(versions, original)
    if not targets:
        return None
    tests = _tests(baseline)
    return ProbeRequest(
        targets=targets,
        versions=(*versions, original),
        tests=tuple(result.test for result in tests),
        timeouts_s={result.test: max(TIME_FLOOR_S, TIME_FACTOR * _seconds(result)) for result in tests},
        examples=examples(sources, targets),
    )


def _tests(baseline: Baseline) -> list[TestResult]:
    """The failing tests, and passing ones as long as they are quick: those of the same files first."""
    files = {result.test.split("::")[0] for result in baseline.failing}
    near = sorted(baseline.passing, key=lambda result: result.test.split("::")[0] not in files)
    chosen: list[TestResult] = []
    seconds = 0.0
    for result in (*sorted(baseline.failing, key=_seconds), *near):
        seconds += _seconds(result)
        if chosen and (seconds > MAX_TEST_SECONDS or len(chosen) >= MAX_TESTS):
            break
        chosen.append(result)
    return chosen


def _seconds(result: TestResult) -> float:
    """What a test takes once it is repaired, as far as that can be said; one that hung says nothing."""
    return 0.0 if result.status is TestStatus.TIMEOUT else result.seconds


def by_outer_functions(report: ProbeReport, request: ProbeRequest) -> ProbeReport:
    """``report`` without calls of functions within functions, where the answers of the outer ones say more.

    What such a function answers may be of no consequence.
    """
    seen = report.versions[0].outcomes if report.versions else ()
    known = {entry.target for entry, outcome in zip(report.inputs, seen, strict=False) if outcome is not None}
    names = {(request.targets[number].path, request.targets[number].name) for number in known}
    inner = {
        number
        for number, target in enumerate(request.targets)
        if (target.path, target.name.rpartition(".")[0]) in names
    }
    if not inner:
        return report
    versions = tuple(
        replace(
            version,
            outcomes=tuple(
                None if entry.target in inner else outcome
                for entry, outcome in zip(report.inputs, version.outcomes, strict=False)
            ),
        )
        for version in report.versions
    )
    return replace(report, versions=versions)
