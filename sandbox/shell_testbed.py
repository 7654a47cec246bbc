"""Tests that are a command of any kind: one test, judged by its exit status."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Unpack

from sandbox.base import Sandbox
from sandbox.command import ShellCommand
from sandbox.printed import as_printed
from sandbox.probes import ProbeReport, ProbeRequest
from sandbox.reports import RunOptions, TestReport, TestResult, TestStatus
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

    def run(self, **options: Unpack[RunOptions]) -> TestReport:
        """See ``ports.Testbed.run``; a command cannot be traced, and has no part to choose."""
        timeout_s, seconds = options.get("timeout_s"), options.get("seconds")
        limit = timeout_s.get(self._text) if isinstance(timeout_s, Mapping) else timeout_s
        limit = limit or self._times.suite_s
        limit = limit if seconds is None else min(limit, seconds)
        done = self._sandbox.exec(
            ["sh", "-c", self._text],
            timeout_s=limit,
            environment=self._environment,
            changes=options.get("changes"),
            keep_end=True,  # a failure is printed last
        )
        # The end of each: a failure is printed in the one, and many warnings may stand in the other.
        ends = [text[-OUTPUT_TAIL_BYTES:].decode("utf-8", "replace") for text in (done.stdout, done.stderr)]
        output = "".join(ends)
        result = TestResult(test=self._text, status=TestStatus.PASSED, seconds=done.seconds)
        if done.exit_status != 0:
            result = as_printed(replace(result, status=TestStatus.FAILED), output)
        return TestReport(
            results=() if done.timed_out else (result,),
            complete=not done.timed_out,
            exit_status=done.exit_status,
            seconds=done.seconds,
            problem=f"the test command did not finish within {limit:g} s" if done.timed_out else "",
            output=output,
            cut=done.timed_out,
        )

    def probe(self, request: ProbeRequest) -> ProbeReport:
        """See ``ports.Testbed.probe``; nobody can look into a command."""
        del request
        return ProbeReport(problem="the tests are a command, which cannot be looked into")
