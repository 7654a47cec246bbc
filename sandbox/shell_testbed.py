"""Tests that are a command of any kind: one test, judged by its exit status."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sandbox.base import ExecResult, Sandbox
from sandbox.command import ShellCommand
from sandbox.printed import printed_failure
from sandbox.probes import ProbeReport, ProbeRequest
from sandbox.reports import TestReport, TestResult, TestStatus
from sandbox.times import TestTimes

OUTPUT_TAIL_BYTES = 20_000


class ShellTestbed:
    """Runs a whole command; its one test is the command itself (``ports.Testbed``)."""

    def __init__(
        self, sandbox: Sandbox, command: ShellCommand, environment: Mapping[str, str], times: TestTimes
    ) -> None:
        self._sandbox = sandbox
        self._environment = environment
        self._text = command.text
        self._times = times

    def run(  # noqa: PLR0913 - the arguments of a run, each by its name
        self,
        *,
        tests: Sequence[str] | None = None,
        changes: Mapping[str, bytes] | None = None,
        trace: bool = False,
        stop_at_first_failure: bool = False,
        timeout_s: float | Mapping[str, float] | None = None,
        quick: bool = False,
        seconds: float | None = None,
        first: Sequence[str] = (),
    ) -> TestReport:
        """See ``ports.Testbed.run``; a command cannot be traced, and has no part to choose."""
        del tests, trace, stop_at_first_failure, quick, first
        limit = timeout_s.get(self._text) if isinstance(timeout_s, Mapping) else timeout_s
        limit = limit or self._times.suite_s
        limit = limit if seconds is None else min(limit, seconds)
        done = self._sandbox.exec(
            ["sh", "-c", self._text],
            timeout_s=limit,
            environment=self._environment,
            changes=changes,
            keep_end=True,  # a failure is printed last
        )
        # The end of each: a failure is printed in the one, and many warnings may stand in the other.
        ends = [text[-OUTPUT_TAIL_BYTES:].decode("utf-8", "replace") for text in (done.stdout, done.stderr)]
        output = "".join(ends)
        if done.timed_out:
            problem = f"the test command did not finish within {limit:g} s"
            return TestReport(
                results=(),
                complete=False,
                exit_status=None,
                seconds=done.seconds,
                problem=problem,
                output=output,
                cut=True,
            )
        return TestReport(
            results=(_shell_result(self._text, output, done),),
            complete=True,
            exit_status=done.exit_status,
            seconds=done.seconds,
            output=output,
        )

    def probe(self, request: ProbeRequest) -> ProbeReport:
        """See ``ports.Testbed.probe``; nobody can look into a command."""
        del request
        return ProbeReport(problem="the tests are a command, which cannot be looked into")


def _shell_result(command: str, output: str, done: ExecResult) -> TestResult:
    if done.exit_status == 0:
        return TestResult(test=command, status=TestStatus.PASSED, seconds=done.seconds)
    result = TestResult(test=command, status=TestStatus.FAILED, seconds=done.seconds)
    printed = printed_failure(output)
    if printed is None:
        return result
    return replace(result, exception=printed.exception, message=printed.message, frames=printed.frames)
