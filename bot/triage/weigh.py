"""Weigh everything that a reading holds into one verdict.

Failing tests come first: one whose failure looks like the code's own is worth reproducing, whatever else the
log says, for the sandbox decides and not the log. Only where there is none, the other lines speak, and only
those of the step that failed or that stand outside of the steps: what a step before it printed did not end
the job.
"""

import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from importlib.resources import files

from bot.causes.log_rules import Topic
from bot.cilog.model import LogReading, LogStep
from bot.cilog.observers.last_lines import TAIL_LINES
from bot.internal_errors import each, guarded
from bot.triage import failing_tests
from bot.triage.model import CauseKind, Finding, TriageVerdict
from bot.triage.rules import findings

ADVICE: Mapping[str, str] = tomllib.loads((files("bot.triage") / "advice.toml").read_text("utf-8"))
"""What to do next, a sentence for each verdict, or for its kind where it has none of its own."""

MAX_EVIDENCE, MAX_CONTRARY = 8, 3
FAR, IN_TESTS, IN_GREEN_TESTS, AGAINST = 0.6, 0.4, 0.8, 0.5
"""Factors: for a line far from the end; for one in the output of tests, some of them failing or none; for the
strongest other kind."""

MOST, DECISIVE = 0.99, 0.8
# What ends a job from outside is in the log wherever the runner could write it.
_FROM_OUTSIDE = {"runner", "timeout", "cancelled"}
_STEP_ENDED = "Process completed with exit code "  # the runner's words
# Exceptions that only report how another program ended.
_WRAPPERS = {"CalledProcessError", "SystemExit", "KeyboardInterrupt", "Exit", "UnexpectedExit", "Failure"}


def triage(reading: LogReading, *, modules: Collection[str] = ()) -> TriageVerdict:
    """Judge a log; ``modules`` are the top-level names that the project defines, where it is at hand."""
    step = failed_step(reading)
    own = {*modules, *failing_tests.own_names(reading)}
    judged = _unjudged(reading)
    with guarded("triage by the failing tests"):
        judged = failing_tests.judge(reading, own)
    lines = list(each("triage by lines", partial(_lines, reading, step)))
    if judged.tests:
        return _verdict([*judged.findings, *lines], {CauseKind.CODE}, tests=judged.tests)
    if judged.findings:
        # Most of the tests fail for this reason; other lines can only say more of it.
        return _verdict([*judged.findings, *lines], {judged.findings[0].kind})
    crash = failing_tests.RedTests()
    with guarded("triage by crashes"):
        crash = failing_tests.crashes(reading)
    if crash.findings:
        return _verdict([*crash.findings, *lines], {one.kind for one in crash.findings}, tests=crash.tests)
    found = [*each("triage by tracebacks", partial(_tracebacks, reading, step, own)), *lines]
    if found and _has_failed(reading, step, found):
        return _verdict(found, {finding.kind for finding in found})
    return _nothing_known(reading, step)


def _unjudged(reading: LogReading) -> failing_tests.RedTests:
    """The failing tests, whose causes nobody could say: a run of them will."""
    if not reading.failures:
        return failing_tests.RedTests()
    why = "tests fail, for causes that are not known"
    finding = Finding(kind=CauseKind.CODE, subkind="", weight=0.5, why=why)
    return failing_tests.RedTests(findings=(finding,), tests=tuple(one.test for one in reading.failures))


def failed_step(reading: LogReading) -> LogStep | None:
    """The last step that ended with another exit status than 0."""
    return next((step for step in reversed(reading.steps) if step.exit_status), None)


def _lines(reading: LogReading, step: LogStep | None) -> Iterator[Finding]:
    """What the rules say of single lines, weighed by where each stands."""
    first, end = _span(reading, step)
    # Of a passing test nothing is shown: what stands there was printed by the runner or its plugins.
    among_tests = IN_TESTS if reading.failures else IN_GREEN_TESTS
    # A step's script is shown at its head.
    body = first + len(step.script) + len(step.environment) + 2 if step else 1
    kept = {one.log_line: one.text for one in reading.evidence}
    kept |= {number: text for number, text in reading.tail.items() if number >= body}
    for number, text in sorted(kept.items()):
        for finding in findings(number, text):
            outside = finding.kind is CauseKind.INFRASTRUCTURE and finding.subkind in _FROM_OUTSIDE
            if not first <= number <= end and not outside:
                continue
            factor = among_tests if _in_tests(reading, number) else 1.0
            if end - number > TAIL_LINES:
                factor = min(factor, FAR)
            yield replace(finding, weight=round(finding.weight * factor, 3))


def _in_tests(reading: LogReading, number: int) -> bool:
    """Whether a line stands within a test session's output: it may be a test's own words, and weighs less."""
    return any(one.log_line < number < one.end_log_line for one in reading.sessions)


def _span(reading: LogReading, step: LogStep | None) -> tuple[int, int]:
    """The first and the last line of what failed: a step ends where the log names its exit status."""
    if step is None:
        evidence = [one.log_line for one in reading.evidence]
        tracebacks = [one.end_log_line for one in reading.tracebacks]
        return 1, max((*evidence, *tracebacks, reading.log_lines))
    said = [
        one.log_line
        for one in reading.evidence
        if one.topic is Topic.EXIT
        and step.log_line <= one.log_line <= step.end_log_line
        and _STEP_ENDED in one.text
    ]
    return step.log_line, max(said, default=step.end_log_line)


def _tracebacks(reading: LogReading, step: LogStep | None, own: Collection[str]) -> Iterator[Finding]:
    """The last traceback of the failed step that no test run reports: a program could not start."""
    first, end = _span(reading, step)
    within = [
        one
        for one in reading.tracebacks
        if first <= one.log_line <= end and one.exception.rpartition(".")[2] not in _WRAPPERS
    ]
    if not within:
        return
    last = within[-1]
    cause = failing_tests.chain_cause(last.exception, last.message, last.related, own)
    text = f"{last.exception}: {last.message}".strip().split("\n", 1)[0]
    if cause.kind is not CauseKind.CODE:
        yield Finding(**asdict(cause), log_line=last.end_log_line, text=text)
    elif last.frames:
        place = last.frames[-1]
        yield Finding(
            kind=CauseKind.CODE,
            subkind="import" if cause.subkind == "import" else "start",
            weight=0.85 if end - last.end_log_line <= TAIL_LINES else 0.5,
            why=f"a program of the project ends with an exception, from {place.path}:{place.line}",
            log_line=last.end_log_line,
            text=text,
        )


def _has_failed(reading: LogReading, step: LogStep | None, found: Sequence[Finding]) -> bool:
    """Whether anything failed at all: a tool's complaint in a job that went on is none."""
    if step or any(not run.passed for run in reading.environments):
        return True
    outside = any(one.subkind in _FROM_OUTSIDE and one.kind is CauseKind.INFRASTRUCTURE for one in found)
    # An action that fails reports no exit status, and marks its last words as an error.
    outside = outside or any(one.log_line in reading.error_lines and one.weight >= DECISIVE for one in found)
    return outside or (not reading.steps and any(finding.weight >= DECISIVE for finding in found))


def _nothing_known(reading: LogReading, step: LogStep | None) -> TriageVerdict:
    """Passing, or failing for a reason that no rule knows."""
    if step or any(not run.passed for run in reading.environments) or reading.failed or reading.errors:
        why = f"the step '{step.title}' ended with exit status {step.exit_status}" if step else "a run failed"
        return _alone(CauseKind.UNKNOWN, 0.5, why, log_line=step.end_log_line if step else 0)
    ended = [session for session in reading.sessions if session.finished]
    if not ended and not reading.steps:
        return _alone(CauseKind.UNKNOWN, 0.2, "no job and no test run was recognised")
    if len(ended) < len(reading.sessions) or reading.truncated:
        return _alone(CauseKind.UNKNOWN, 0.4, "the log ends within a test run")
    tests = f"{reading.passed} tests pass, " if reading.passed else ""
    last = (ended or reading.steps)[-1].end_log_line
    why = f"{tests}no step and no test failed"
    return _alone(CauseKind.PASSED, 0.95 if ended else 0.8, why, log_line=last)


def _alone(kind: CauseKind, weight: float, why: str, *, log_line: int = 0) -> TriageVerdict:
    """A verdict that rests on nothing else."""
    return _verdict([Finding(kind=kind, subkind="", weight=weight, why=why, log_line=log_line)], {kind})


def _verdict(
    found: Sequence[Finding], among: Collection[CauseKind], *, tests: tuple[str, ...] = ()
) -> TriageVerdict:
    """The strongest kind of ``among``, with what speaks for it and what against."""
    scores = {kind: _score(one for one in found if one.kind is kind) for kind in {f.kind for f in found}}
    kind = max(among, key=lambda one: (scores.get(one, 0.0), -list(CauseKind).index(one)))
    second = max((score for other, score in scores.items() if other is not kind), default=0.0)
    ranked = sorted(found, key=lambda one: (-one.weight, one.log_line))
    own = [one for one in ranked if one.kind is kind]
    others = [one for one in ranked if one.kind is not kind]
    confidence = min(MOST, scores[kind] * (1 - AGAINST * second))
    subkind = own[0].subkind
    return TriageVerdict(
        kind=kind,
        subkind=subkind,
        confidence=round(confidence, 2),
        advice=ADVICE.get(f"{kind.value}/{subkind}", ADVICE[kind.value]),
        evidence=(*_distinct(own, MAX_EVIDENCE), *_distinct(others, MAX_CONTRARY)),
        tests=tests if kind is CauseKind.CODE else (),
    )


def _score(found: Iterable[Finding]) -> float:
    """The findings of one kind together, each meaning once: what is said twice is not twice as sure."""
    strongest: dict[str, float] = {}
    for one in found:
        strongest[one.why] = max(strongest.get(one.why, 0.0), one.weight)
    doubt = 1.0
    for weight in strongest.values():
        doubt *= 1 - weight
    return 1 - doubt


def _distinct(found: Sequence[Finding], limit: int) -> list[Finding]:
    """The first finding of each meaning."""
    first: dict[str, Finding] = {}
    for one in found:
        first.setdefault(one.why, one)
    return list(first.values())[:limit]
