"""Tests that are a command of any kind: one test, judged by its exit status."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Unpack

from sandbox.base import Sandbox
from sandbox.command import ShellCommand
from sandbox.probes import ProbeReport, ProbeRequest
from sandbox.reports import Frame, RunOptions, TestReport, TestResult, TestStatus, TestTimes

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


_TRACEBACK_FRAME = re.compile(
    r'^[ \t]*File "(?P<path>[^"\n]+)", line (?P<line>\d+), in (?P<function>\S+)', re.MULTILINE
)
_EXCEPTION = re.compile(
    r"^(?P<name>[A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt))(?:: (?P<text>.*))?$", re.MULTILINE
)


def as_printed(result: TestResult, output: str) -> TestResult:
    """``result`` with the failure that ``output`` shows, by an exception or a frame; else as it is.

    It is a hint for finding the fault, never a verdict: a program can print whatever it likes.
    """
    exceptions = list(_EXCEPTION.finditer(output))
    frames = tuple(_frames(output))
    if not exceptions and not frames:
        return result
    exception, message = exceptions[-1].groups() if exceptions else ("", "")
    return replace(result, exception=exception, message=message or "", frames=frames)


def _frames(output: str) -> list[Frame]:
    """The frames that lie in the workspace, as a traceback prints them: the innermost last."""
    frames = []
    for match in _TRACEBACK_FRAME.finditer(output):
        path = match["path"]
        _, inside, relative = path.rpartition("/workspace/")
        if inside or not path.startswith(("/", "<")):
            frames.append(Frame(path=relative or path, line=int(match["line"]), function=match["function"]))
    return frames
