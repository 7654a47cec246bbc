"""Read what GitHub's runner says in a job's log: its steps with their commands, and marked errors.

A test may print what looks like a workflow command, and the runner obeys: nothing here is proof of anything.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bot.cilog.clean import TextBlock, unmarked
from bot.cilog.model import LogStep

MAX_STEPS = 1_000
MAX_HEAD = 400
"""Lines of a step's script and variables that are read."""

MAX_ERRORS = 1_000
MAX_TEXT = 2_000
"""Characters of a line that are kept."""

RUN = "##[group]Run "
_END = "##[endgroup]"
_EXIT = re.compile(r"##\[error\].*?\bexit code (?P<status>-?\d{1,9})\.?\s*$")
_ERROR = re.compile(r"##\[error\]|::error(?: [^:]*(?::(?!:)[^:]*)*)?::")
_CANCELLED = ("##[error]The operation was canceled", "##[error]The runner has received a shutdown signal")


@dataclass(slots=True)
class Actions:
    """Collects the steps of the blocks it is shown and the lines marked as errors, in the log's order."""

    error_lines: list[int] = field(default_factory=list)
    limited: bool = False
    failed_at: int = 0  # where the last step that failed says so
    _steps: list[LogStep] = field(default_factory=list)
    _head: list[str] | None = None  # the lines of a step's head whose end was not seen yet

    def read(self, block: TextBlock) -> list[int]:
        """Take a block; the indices of its lines where a step begins or ends."""
        bounds: list[int] = []
        if self._head is not None:
            self._gather(block, 0, later=0)
        for number, index in enumerate(block.marked):
            line = block.lines[index]
            if line.startswith(RUN):
                bounds.append(index)
                self._begin(line, block.first + index)
                self._gather(block, index + 1, later=number + 1)
            else:
                ended = _EXIT.match(line) if line.startswith("##[error]") else None
                if ended or line.startswith(_CANCELLED):
                    bounds.append(index)
                if ended and self._steps and self._steps[-1].exit_status is None:
                    status = int(ended["status"])
                    self._steps[-1] = replace(self._steps[-1], exit_status=status)
                    self.failed_at = block.first + index if status else self.failed_at
                self._mark(line, block.first + index)
        return bounds

    def steps(self, log_lines: int) -> tuple[LogStep, ...]:
        """The steps, each up to where the next one begins."""
        self._end_head()
        ends = [step.log_line - 1 for step in self._steps[1:]] + [log_lines]
        return tuple(replace(step, end_log_line=end) for step, end in zip(self._steps, ends, strict=False))

    def _begin(self, line: str, log_line: int) -> None:
        self._end_head()
        if len(self._steps) >= MAX_STEPS:
            self.limited = True
            return
        title = line[len(RUN) :].strip()[:MAX_TEXT]
        self._steps.append(LogStep(title=title, log_line=log_line, end_log_line=log_line))
        self._head = []

    def _gather(self, block: TextBlock, start: int, *, later: int) -> None:
        """Take the lines of the head up to its end, if one of the ``later`` marks of this block is it."""
        if self._head is None:
            return
        marks = (block.marked[number] for number in range(later, len(block.marked)))
        end = next((index for index in marks if block.lines[index].startswith((_END, RUN))), None)
        room = MAX_HEAD - len(self._head)
        stop = len(block.lines) if end is None else end
        self._head += [unmarked(line)[:MAX_TEXT] for line in block.lines[start : min(stop, start + room)]]
        if end is not None or len(self._head) >= MAX_HEAD:
            self._end_head()

    def _end_head(self) -> None:
        if self._head is not None and self._steps:
            self._steps[-1] = _with_head(self._steps[-1], self._head)
        self._head = None

    def _mark(self, line: str, log_line: int) -> None:
        if not _ERROR.match(line[: 2 * MAX_TEXT]):
            return
        if len(self.error_lines) >= 2 * MAX_ERRORS:
            # The first say how it began, the last why it ended.
            del self.error_lines[MAX_ERRORS]
            self.limited = True
        self.error_lines.append(log_line)


def _with_head(step: LogStep, head: Sequence[str]) -> LogStep:
    """The step with what the runner printed before it ran: script, shell, variables."""
    script: list[str] = []
    environment: list[tuple[str, str]] = []
    shell, section = "", ""
    for line in head:
        if line.startswith("shell: ") and not shell:
            shell, section = line[len("shell: ") :].strip(), "shell"
        elif line.rstrip() in {"with:", "env:"}:
            section = line.rstrip()
        elif section == "env:":
            name, colon, value = line.strip().partition(":")
            if colon and line.startswith("  "):
                environment.append((name, value.strip()))
        elif not section:
            script.append(line)
    return replace(step, script=tuple(script) if shell else (), shell=shell, environment=tuple(environment))
