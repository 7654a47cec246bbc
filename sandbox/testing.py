"""A project's tests in a sandbox: open one, bring the project in, run tests with changes laid over it."""

from __future__ import annotations

import os
import posixpath
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Unpack

from sandbox.base import Sandbox, SandboxProvider, SandboxSpec
from sandbox.command import PytestCommand, ScriptCommand, ShellCommand
from sandbox.errors import RunnerNotLoaded
from sandbox.lasting import LastingTestbed
from sandbox.probes import ProbeExample, ProbeReport, ProbeRequest, read_report
from sandbox.reports import (
    Comparison,
    Frame,
    RunOptions,
    Steps,
    TestReport,
    TestResult,
    TestStatus,
    TestTimes,
    read_calls,
)
from sandbox.resolve import ResolvedCommand
from sandbox.session import pack_changes
from sandbox.shell_testbed import ShellTestbed, as_printed
from sandbox.snapshot import Snapshot

# What importing and collecting may take before tests that only show what they call functions with.
PROBE_START_S = 10.0
NEEDS_PYTEST = "choose an image or an interpreter that has pytest"


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxTestbeds:
    """Opens testbeds for one project in fresh sandboxes of one provider (``ports.TestbedFactory``).

    ``environment`` is for the test process only; its PYTHONPATH may hold paths relative to the project.
    ``notify`` gets, in one line each, when the tests have to be run in a slower way than usual, and why.
    """

    provider: SandboxProvider
    spec: SandboxSpec
    snapshot: Snapshot
    command: ResolvedCommand
    environment: Mapping[str, str] = field(default_factory=dict)
    times: TestTimes = field(default_factory=TestTimes)
    notify: Callable[[str], None] = lambda _note: None

    @property
    def name(self) -> str:
        """The provider's name."""
        return self.provider.name

    @property
    def isolated(self) -> bool:
        """Whether the provider is a security boundary."""
        return self.provider.isolated

    @contextmanager
    def open(self) -> Iterator[LastingTestbed]:
        """A testbed in a fresh sandbox.

        Raises:
            RunnerNotLoaded: the interpreter in there has no pytest that works.
            SandboxError: the sandbox could not be started.
        """
        with closing(LastingTestbed(self._one)) as bed:
            yield bed

    @contextmanager
    def _one(self) -> Iterator[PreparedTestbed | ShellTestbed]:
        with lease() as processor, self.provider.open(self.spec) as sandbox:
            sandbox.unpack(self.snapshot.archive())
            if isinstance(self.command, ShellCommand):
                yield ShellTestbed(sandbox, self.command, self.environment, self.times)
            else:
                preparation = _preparation(self.command, self.environment, processor)
                yield PreparedTestbed(sandbox, preparation, self.times, self.notify)


class PreparedTestbed:
    """Runs tests in forks of a process that the runner has prepared for them (``ports.Testbed``).

    It has pytest loaded; for a Python program, which is one test, it has nothing loaded.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        preparation: Mapping[str, Any],
        times: TestTimes,
        notify: Callable[[str], None],
    ) -> None:
        self._sandbox = sandbox
        self._times = times
        self._notify = notify
        self._is_program = "script" in preparation
        answer = sandbox.order({"op": "prepare", **preparation})
        if answer.get("problem"):
            advice = "choose another image or interpreter" if self._is_program else NEEDS_PYTEST
            raise RunnerNotLoaded(f"{answer['problem']} in the sandbox: {advice}")

    def run(self, **options: Unpack[RunOptions]) -> TestReport:
        """See ``ports.Testbed.run``."""
        tests, trace = options.get("tests"), options.get("trace", False)
        timeout_s, seconds = options.get("timeout_s"), options.get("seconds")
        names, body = pack_changes(options.get("changes"))
        by_test = dict(timeout_s) if isinstance(timeout_s, Mapping) else {}
        suite_s = self._times.suite_s if seconds is None else min(seconds, self._times.suite_s)
        answer = self._sandbox.order(
            {
                "op": "tests",
                "tests": None if tests is None else list(tests),
                "trace": trace,
                "stop_at_first_failure": options.get("stop_at_first_failure", False),
                "quick": options.get("quick", False),
                "assume": options.get("assume", False),
                "timeout_s": self._times.test_s if by_test or not timeout_s else timeout_s,
                "timeouts_s": by_test,
                "adaptive": timeout_s is None and not trace and not names,
                "calls": tests is None and not trace and not names,
                "first": list(options.get("first", ())),
                "ahead": options.get("ahead", False) and tests is not None,
                "collect_timeout_s": self._times.collect_s,
                "suite_timeout_s": suite_s,
                "grace_s": self._times.grace_s,
                "changes": names,
            },
            body,
            needed=options.get("needed"),
        )
        for note in answer.get("notes", ()):
            self._notify(str(note))
        return self._report(answer)

    def _report(self, answer: Mapping[str, Any]) -> TestReport:
        output = str(answer["output"])
        results = [_read(raw) for raw in answer["results"]]
        if self._is_program:
            # A program that reports by its exit status prints what it saw; unittest's does.
            results = [as_printed(one, output) if one.exception == "SystemExit" else one for one in results]
        return TestReport(
            results=tuple(results),
            complete=bool(answer["complete"]),
            exit_status=answer["exit_status"],
            seconds=float(answer["seconds"]),
            problem=str(answer["problem"]),
            output=output,
            confirmed=tuple(map(str, answer.get("confirmed", ()))),
            collected=int(answer.get("collected", 0)),
            cut=bool(answer.get("cut")),
            calls=read_calls(answer["calls"]) if "calls" in answer else None,
            means=str(answer.get("means", "")),
            reason=str(answer.get("reason", ""))[:200],
        )

    def probe(self, request: ProbeRequest) -> ProbeReport:
        """See ``ports.Testbed.probe``."""
        limits = [request.timeouts_s.get(test, self._times.test_s) for test in request.tests]
        answer = self._sandbox.order(
            {
                "op": "probe",
                "tests": list(request.tests),
                "timeout_s": self._times.test_s,
                "timeouts_s": dict(request.timeouts_s),
                "collect_timeout_s": self._times.collect_s,
                "suite_timeout_s": min(self._times.suite_s, PROBE_START_S + sum(limits), request.limit_s),
                "probe": {
                    "targets": [[target.path, target.name] for target in request.targets],
                    "versions": [dict(version) for version in request.versions],
                    "examples": [_example(example) for example in request.examples],
                    "seconds": request.seconds,
                },
            }
        )
        return read_report(answer, request)


def _example(example: ProbeExample) -> dict[str, Any]:
    if example.session:
        return {"target": example.target, "session": example.session}
    return {"target": example.target, "expression": example.expression, "expected": example.expected}


def _preparation(
    command: PytestCommand | ScriptCommand, environment: Mapping[str, str], processor: int | None
) -> dict[str, Any]:
    """What the order ``prepare`` says of a command; see ``sandbox.runner.server``."""
    launch = command.launch
    variables = {**environment, **dict(launch.environment)}
    options, arguments = list(launch.options), list(command.arguments)
    started = {"environment": variables, "options": options, "arguments": arguments}
    if isinstance(command, ScriptCommand):
        script = {"name": command.text, "path": command.path, "module": command.module}
        return {**started, "search_path": [posixpath.dirname(command.path) or "."], "script": script}
    search_path = [*command.search_path, *(["."] if command.add_root_to_path else [])]
    patterns = list(command.name_patterns)
    return {**started, "processor": processor, "search_path": search_path, "name_patterns": patterns}


def _read(raw: Mapping[str, Any]) -> TestResult:
    """A result as the runner sends it; the test wrote part of it, so nothing in it is believed blindly."""
    comparison = raw.get("comparison")
    return TestResult(
        test=str(raw["id"]),
        status=TestStatus(raw["status"]),
        seconds=float(raw.get("seconds", 0.0)),
        exception=str(raw.get("exception", "")),
        message=str(raw.get("message", "")),
        frames=tuple(
            Frame(path=str(path), line=int(line), function=str(function))
            for path, line, function in raw.get("frames", ())
        ),
        comparison=Comparison(operator=str(comparison[0]), left=str(comparison[1]), right=str(comparison[2]))
        if comparison
        else None,
        lines={str(path): tuple(map(int, lines)) for path, lines in raw.get("lines", {}).items()},
        steps=_steps(raw.get("steps")),
        foreign=str(raw.get("foreign", ""))[:300],
    )


def _steps(raw: Any) -> Steps | None:  # noqa: ANN401 - what a test may have written
    """The steps, or None where they have not the shape that the tracer gives them."""
    try:
        return Steps(
            count=int(raw["count"]),
            earlier={
                str(path): {int(line): int(count) for line, count in pairs}
                for path, pairs in raw["earlier"].items()
            },
            last={str(path): tuple(map(int, lines)) for path, lines in raw["last"].items()},
        )
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
        return None


@contextmanager
def lease() -> Iterator[int | None]:
    """The number of a processor that nobody else has leased; None where all are taken, or there is one only.

    Three processes that wait for each other make a quick verdict, and waking one on a processor that sleeps,
    or has other memory at hand, takes longer than many a test. So they share one, and no two sandboxes of
    this user share the same, whichever run of Regreen they belong to.
    It is free again when the context is left, or when this process ends, however it does.
    """
    allowed = sorted(os.sched_getaffinity(0))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as lock:
        number: int | None
        for number in allowed if len(allowed) > 1 else []:
            # A name in Linux's abstract namespace belongs to one socket, leaves no file, and ends with it.
            with suppress(OSError):
                lock.bind(f"\0regreen-{os.getuid()}-processor-{number}")
                break
        else:
            number = None
        yield number
