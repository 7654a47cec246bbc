"""What a failing test says, in the form that the fix templates read: which exception, which words, where.

The texts may be anything that hostile code made up: they are searched for names and never evaluated.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sandbox.reports import Comparison, Frame, TestResult, TestStatus

_RAISED = re.compile(
    r"^(?:E\s+)?(?:\w+\.)*(\w*(?:Error|Exception|Iteration|Interrupt)): ?([^\n]*)\s*\Z", re.MULTILINE
)
_PLACE = re.compile(r'File "([^"\n]+)", line (\d+)(?:, in (\S+))?')
_TRACEBACK = "Traceback (most recent call last)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One way to fail; ``frames`` are the project's, innermost first."""

    kind: str
    message: str
    frames: tuple[Frame, ...]
    comparison: Comparison | None = None
    timed_out: bool = False


def failures_of(failing: Iterable[TestResult], paths: Sequence[str]) -> tuple[Failure, ...]:
    """The distinct failures of failing tests, in their order; tests that fail alike count once."""
    found = (_failure_of(result, paths) for result in failing)
    by_look = {(each.kind, each.message, each.frames[:1]): each for each in reversed(tuple(found))}
    return tuple(reversed(by_look.values()))


def _failure_of(result: TestResult, paths: Sequence[str]) -> Failure:
    kind, message = result.exception.rpartition(".")[2], result.message
    frames = tuple(reversed(result.frames))
    # A loader wraps what went wrong at import in an error whose message is the whole traceback.
    if _TRACEBACK in message and (said := _RAISED.search(message)):
        kind, text = said.groups()
        frames = (*reversed(tuple(_frames_in(message, paths))), *frames)
        message = text
    timed_out = result.status is TestStatus.TIMEOUT
    return Failure(
        kind=kind, message=message, frames=frames, comparison=result.comparison, timed_out=timed_out
    )


def _frames_in(text: str, paths: Sequence[str]) -> Iterable[Frame]:
    for name, line, function in _PLACE.findall(text):
        known = [path for path in paths if name == path or name.endswith("/" + path)]
        if known:
            yield Frame(path=max(known, key=len), line=int(line), function=function or "<module>")
