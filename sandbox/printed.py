"""Reads a failure out of what a program printed: the last exception, and the frames of its tracebacks.

It is a hint for finding the fault, never a verdict: a program can print whatever it likes.
"""

import re
from dataclasses import replace

from sandbox.reports import Frame, TestResult

_TRACEBACK_FRAME = re.compile(
    r'^[ \t]*File "(?P<path>[^"\n]+)", line (?P<line>\d+), in (?P<function>\S+)', re.MULTILINE
)
_EXCEPTION = re.compile(
    r"^(?P<name>[A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt))(?:: (?P<text>.*))?$", re.MULTILINE
)


def as_printed(result: TestResult, output: str) -> TestResult:
    """``result`` with the failure that ``output`` shows, by an exception or a frame; else as it is."""
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
