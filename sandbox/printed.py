"""Reads a failure out of what a program printed: the last exception, and the frames of its tracebacks.

It is a hint for finding the fault, never a verdict: a program can print whatever it likes.
"""

import re
from dataclasses import dataclass

from sandbox.reports import Frame

_TRACEBACK_FRAME = re.compile(
    r'^[ \t]*File "(?P<path>[^"\n]+)", line (?P<line>\d+), in (?P<function>\S+)', re.MULTILINE
)
_EXCEPTION = re.compile(
    r"^(?P<name>[A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt))(?:: (?P<text>.*))?$", re.MULTILINE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedFailure:
    """What the printed tracebacks show, as in ``reports.TestResult``."""

    exception: str
    message: str
    frames: tuple[Frame, ...]


def printed_failure(output: str) -> PrintedFailure | None:
    """The failure that ``output`` shows; None where it shows neither an exception nor a frame."""
    exceptions = list(_EXCEPTION.finditer(output))
    frames = tuple(_frames(output))
    if not exceptions and not frames:
        return None
    return PrintedFailure(
        exception=exceptions[-1]["name"] if exceptions else "",
        message=(exceptions[-1]["text"] or "") if exceptions else "",
        frames=frames,
    )


def _frames(output: str) -> list[Frame]:
    """The frames that lie in the workspace, as a traceback prints them: the innermost last."""
    frames = []
    for match in _TRACEBACK_FRAME.finditer(output):
        path = match["path"]
        _, inside, relative = path.rpartition("/workspace/")
        if inside or not path.startswith(("/", "<")):
            frames.append(Frame(path=relative or path, line=int(match["line"]), function=match["function"]))
    return frames
