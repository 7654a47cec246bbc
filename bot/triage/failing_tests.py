"""What the failing tests of a reading say: each for itself by its exception, and together by their number."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from bot.causes.exceptions import Cause, cause
from bot.causes.log_rules import Topic
from bot.cilog.model import LogFailure, LogReading, LogStatus, Raised
from bot.triage.model import CauseKind, Finding

MAX_TEXT = 200
BURIED = 0.8
"""Factor for the cause of an exception in comparison with the exception itself."""

_SOURCE_DIRECTORIES = ("src", "lib", "source")
_CRASHED = re.compile(r"(?P<test>\S+\.py::\S.*?) +(?:Fatal Python error: |Windows fatal exception: )")
_FATAL = re.compile(r"Fatal Python error: |Windows fatal exception: |Segmentation fault|core dumped")


@dataclass(frozen=True, slots=True, kw_only=True)
class RedTests:
    """Findings, and the ids of the tests that look like the code's own doing."""

    findings: tuple[Finding, ...] = ()
    tests: tuple[str, ...] = ()


def own_names(reading: LogReading) -> frozenset[str]:
    """Top-level modules that are surely the project's: those that its frames lie in."""
    paths = {frame.path for failure in reading.failures for frame in failure.frames}
    paths |= {frame.path for traceback in reading.tracebacks for frame in traceback.frames}
    paths |= {failure.path for failure in reading.failures}
    return frozenset(name for path in paths if (name := _top_level(path)))


def judge(reading: LogReading, own: Collection[str]) -> RedTests:
    """The causes of the failing tests, the commonest first, and which tests are worth a repair."""
    if unsteady := _dies_here_and_there(reading) or _green_again(reading):
        return RedTests(findings=(unsteady,))
    causes = [(failure, _cause(failure, own)) for failure in reading.failures]
    groups: dict[Cause, list[LogFailure]] = {}
    strongest: dict[Cause, float] = {}
    for failure, why in causes:
        key = replace(why, weight=0.0)
        groups.setdefault(key, []).append(failure)
        strongest[key] = max(strongest.get(key, 0.0), why.weight)
    findings = tuple(
        Finding(
            kind=why.kind,
            subkind=why.subkind,
            weight=round(strongest[why] * (0.5 + 0.5 * len(failing) / len(causes)), 3),
            why=f"{why.why} ({len(failing)} of {len(causes)} failing tests)",
            log_line=failing[0].log_line,
            text=_said(failing[0]),
        )
        for why, failing in sorted(groups.items(), key=lambda group: -len(group[1]))
    )
    return RedTests(
        findings=(*findings, *_shuffled(reading)),
        tests=tuple(failure.test for failure, why in causes if why.kind is CauseKind.CODE),
    )


def chain_cause(exception: str, message: str, related: Sequence[Raised], own: Collection[str]) -> Cause:
    """The cause that a chain of exceptions shows: if it begins with the environment's, the rest follows."""
    found = cause(exception, message, own=own)
    if found.kind is not CauseKind.CODE:
        return found
    for raised in related:
        earlier = cause(raised.exception, raised.message, own=own)
        if earlier.kind is not CauseKind.CODE:
            return replace(earlier, weight=earlier.weight * BURIED)
    return found


def _green_again(reading: LogReading) -> Finding | None:
    """Whether the failing tests were run once more, on the same code, and the job went on."""
    if not reading.failures or not reading.steps or any(step.exit_status for step in reading.steps):
        return None
    last = reading.sessions[-1] if reading.sessions else None
    if last is None or not last.finished or last.failed or last.errors:
        return None
    step = next((one for one in reversed(reading.steps) if one.log_line <= last.log_line), None)
    again = [one for one in reading.sessions if step and one.log_line > step.log_line]
    if not any(one.failed or one.errors for one in again):
        return None
    why = "the tests failed, and passed when the same step ran them once more on the same code"
    return Finding(kind=CauseKind.FLAKY, subkind="rerun", weight=0.8, why=why, log_line=last.end_log_line)


def _shuffled(reading: LogReading) -> tuple[Finding, ...]:
    """A doubt, where tests ran in an order that changes from run to run."""
    seeded = next((session for session in reading.sessions if session.seed and session.failed), None)
    if seeded is None or not reading.failures:
        return ()
    why = f"the tests ran in a random order or with a random seed ({seeded.seed}); a failure may depend on it"
    return (Finding(kind=CauseKind.FLAKY, subkind="order", weight=0.25, why=why, log_line=seeded.log_line),)


def _dies_here_and_there(reading: LogReading) -> Finding | None:
    """Whether all that fails are runs of the same code that died in different tests."""
    tests = {failure.test for failure in reading.failures}
    died = [session for session in reading.sessions if not session.finished]
    if len(tests) < 2 or len(died) < 2 or any(f.status is not LogStatus.CRASHED for f in reading.failures):
        return None
    # Between tests that crash for sure, the first would end every run.
    why = f"the interpreter died in {len(tests)} different tests in {len(died)} runs of the same code"
    first = reading.failures[0]
    return _crash(CauseKind.FLAKY, 0.75, why, first.log_line, _said(first))


def crashes(reading: LogReading) -> RedTests:
    """What crashes of the interpreter say where no test failed: it died before the report."""
    crashed = [one for one in reading.evidence if one.topic is Topic.CRASH and _FATAL.search(one.text)]
    if not crashed:
        return RedTests()
    tests = [(one.log_line, found["test"]) for one in crashed if (found := _CRASHED.search(one.text))]
    names = tuple(dict.fromkeys(test for _, test in tests))
    first = crashed[0]
    if len(names) > 1:
        # The same code and the same tests: what dies now here and now there is no single test's doing.
        why = f"the interpreter died in {len(names)} different tests in {len(tests)} runs of the same code"
        return RedTests(findings=(_crash(CauseKind.FLAKY, 0.75, why, first.log_line, first.text),))
    where = f" in {names[0]}" if names else ""
    again = f", in each of {len(tests)} runs" if len(tests) > 1 else ""
    finding = _crash(CauseKind.CODE, 0.65, f"the interpreter died{where}{again}", first.log_line, first.text)
    return RedTests(findings=(finding,), tests=names)


def _cause(failure: LogFailure, own: Collection[str]) -> Cause:
    if failure.status is LogStatus.CRASHED:
        why = "the interpreter died in the test, or the test never ended"
        return Cause(kind=CauseKind.CODE, subkind="crash", weight=0.65, why=why)
    found = chain_cause(failure.exception, failure.message, failure.related, own)
    if found.kind is CauseKind.CODE and not failure.exception:
        return replace(found, weight=0.8)
    return found


def _said(failure: LogFailure) -> str:
    first = failure.message.split("\n", 1)[0]
    return f"{failure.test}: {failure.exception}: {first}"[:MAX_TEXT]


def _crash(kind: CauseKind, weight: float, why: str, log_line: int, text: str) -> Finding:
    return Finding(
        kind=kind, subkind="crash", weight=weight, why=why, log_line=log_line, text=text.strip()[:MAX_TEXT]
    )


def _top_level(path: str) -> str:
    """The name by which the file at ``path`` is imported, as far as its first dot."""
    parts = path.split("/")
    while len(parts) > 1 and parts[0] in _SOURCE_DIRECTORIES:
        parts = parts[1:]
    return parts[0].removesuffix(".py").removesuffix(".pyi") if parts else ""
