"""A project's tests in a sandbox: open one, bring the project in, run tests with changes laid over it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sandbox.base import ExecResult, Sandbox, SandboxProvider, SandboxSpec
from sandbox.command import PytestCommand, ShellCommand, TestCommand
from sandbox.errors import SandboxUnavailable
from sandbox.reports import Comparison, Frame, TestReport, TestResult, TestStatus
from sandbox.session import pack_changes
from sandbox.snapshot import Snapshot

OUTPUT_TAIL_CHARACTERS = 20_000
_TRACEBACK_FRAME = re.compile(
    r'^\s*File "(?P<path>[^"\n]+)", line (?P<line>\d+), in (?P<function>\S+)', re.MULTILINE
)
_EXCEPTION = re.compile(
    r"^(?P<name>[A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt))(?:: (?P<text>.*))?$", re.MULTILINE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TestTimes:
    """Limits in seconds: for one test, for importing and collecting, for a whole run."""

    __test__ = False

    test_s: float = 30.0
    collect_s: float = 120.0
    suite_s: float = 900.0


def _silence(_note: str) -> None:
    """Nobody wants to hear it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxTestbeds:
    """Opens testbeds for one project in fresh sandboxes of one provider (``ports.TestbedFactory``).

    ``environment`` is for the test process only; its PYTHONPATH may hold paths relative to the project.
    ``notify`` is told, in one line each, when the tests have to be run in a slower way than usual, and why.
    """

    provider: SandboxProvider
    spec: SandboxSpec
    snapshot: Snapshot
    command: TestCommand
    environment: Mapping[str, str] = field(default_factory=dict)
    times: TestTimes = field(default_factory=TestTimes)
    notify: Callable[[str], None] = _silence

    @property
    def name(self) -> str:
        """The provider's name."""
        return self.provider.name

    @property
    def isolated(self) -> bool:
        """Whether the provider is a security boundary."""
        return self.provider.isolated

    @contextmanager
    def open(self) -> Iterator[PytestTestbed | ShellTestbed]:
        """A testbed in a fresh sandbox.

        Raises:
            SandboxUnavailable: the interpreter in there has no pytest.
            SandboxError: the sandbox could not be started.
        """
        with self.provider.open(self.spec) as sandbox:
            sandbox.unpack(self.snapshot.archive())
            if isinstance(self.command, ShellCommand):
                yield ShellTestbed(sandbox, self.command, self.environment, self.times)
            else:
                yield PytestTestbed(sandbox, self.command, self.environment, self.times, self.notify)


class PytestTestbed:
    """Runs pytest's tests in forks of a process that has pytest loaded (``ports.Testbed``)."""

    def __init__(
        self,
        sandbox: Sandbox,
        command: PytestCommand,
        environment: Mapping[str, str],
        times: TestTimes,
        notify: Callable[[str], None],
    ) -> None:
        self._sandbox = sandbox
        self._times = times
        self._notify = notify
        answer = sandbox.order(
            {
                "op": "prepare",
                "arguments": list(command.arguments),
                "add_root_to_path": command.add_root_to_path,
                "environment": {**environment, **dict(command.environment)},
            }
        )
        if answer.get("problem"):
            raise SandboxUnavailable(
                f"{answer['problem']} in the sandbox: choose an image or an interpreter that has pytest"
            )

    def run(  # noqa: PLR0913 - what a run can be told, each by its name
        self,
        *,
        tests: Sequence[str] | None = None,
        changes: Mapping[str, bytes] | None = None,
        trace: bool = False,
        stop_at_first_failure: bool = False,
        timeout_s: float | Mapping[str, float] | None = None,
        quick: bool = False,
    ) -> TestReport:
        """See ``ports.Testbed.run``."""
        names, body = pack_changes(changes)
        by_test = dict(timeout_s) if isinstance(timeout_s, Mapping) else {}
        answer = self._sandbox.order(
            {
                "op": "tests",
                "tests": None if tests is None else list(tests),
                "trace": trace,
                "stop_at_first_failure": stop_at_first_failure,
                "quick": quick,
                "timeout_s": self._times.test_s if by_test or not timeout_s else timeout_s,
                "timeouts_s": by_test,
                "collect_timeout_s": self._times.collect_s,
                "suite_timeout_s": self._times.suite_s,
                "changes": names,
            },
            body,
        )
        for note in answer.get("notes", ()):
            self._notify(str(note))
        return TestReport(
            results=tuple(_result(raw) for raw in answer["results"]),
            complete=bool(answer["complete"]),
            exit_status=answer["exit_status"],
            seconds=float(answer["seconds"]),
            problem=str(answer["problem"]),
            output=str(answer["output"]),
        )


class ShellTestbed:
    """Runs a whole command; its one test is the command itself (``ports.Testbed``)."""

    def __init__(
        self, sandbox: Sandbox, command: ShellCommand, environment: Mapping[str, str], times: TestTimes
    ) -> None:
        self._sandbox = sandbox
        self._environment = environment
        self._text = command.text
        self._times = times

    def run(  # noqa: PLR0913 - what a run can be told, each by its name
        self,
        *,
        tests: Sequence[str] | None = None,
        changes: Mapping[str, bytes] | None = None,
        trace: bool = False,
        stop_at_first_failure: bool = False,
        timeout_s: float | Mapping[str, float] | None = None,
        quick: bool = False,
    ) -> TestReport:
        """See ``ports.Testbed.run``; a command cannot be traced, and has no part to choose."""
        del tests, trace, stop_at_first_failure, quick
        limit = timeout_s.get(self._text) if isinstance(timeout_s, Mapping) else timeout_s
        limit = limit or self._times.suite_s
        done = self._sandbox.exec(
            ["sh", "-c", self._text], timeout_s=limit, environment=self._environment, changes=changes
        )
        output = (done.stdout + done.stderr).decode("utf-8", "replace")[-OUTPUT_TAIL_CHARACTERS:]
        if done.timed_out:
            problem = f"the test command did not finish within {limit:g} s"
            return TestReport(
                results=(),
                complete=False,
                exit_status=None,
                seconds=done.seconds,
                problem=problem,
                output=output,
            )
        return TestReport(
            results=(_shell_result(self._text, output, done),),
            complete=True,
            exit_status=done.exit_status,
            seconds=done.seconds,
            output=output,
        )


def _shell_result(command: str, output: str, done: ExecResult) -> TestResult:
    if done.exit_status == 0:
        return TestResult(test=command, status=TestStatus.PASSED, seconds=done.seconds)
    exceptions = list(_EXCEPTION.finditer(output))
    return TestResult(
        test=command,
        status=TestStatus.FAILED,
        seconds=done.seconds,
        exception=exceptions[-1]["name"] if exceptions else "",
        message=(exceptions[-1]["text"] or "") if exceptions else "",
        frames=_traceback_frames(output),
    )


def _traceback_frames(output: str) -> tuple[Frame, ...]:
    """The frames that lie in the workspace, as a traceback prints them: the innermost last."""
    frames = []
    for match in _TRACEBACK_FRAME.finditer(output):
        path = match["path"]
        _, inside, relative = path.rpartition("/workspace/")
        if inside or not path.startswith(("/", "<")):
            frames.append(Frame(path=relative or path, line=int(match["line"]), function=match["function"]))
    return tuple(frames)


def _result(raw: Mapping[str, Any]) -> TestResult:
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
    )
