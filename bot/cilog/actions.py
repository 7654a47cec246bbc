"""Read what GitHub's runner says in a job's log: its steps with their commands, and annotations.

A test may print what looks like a workflow command, and the runner obeys: nothing here is proof of anything.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bot.cilog.clean import TextBlock, unmarked
from bot.cilog.model import LogAnnotation, LogStep

MAX_STEPS = 1_000
MAX_HEAD = 400
"""Lines of a step's script and variables that are read."""

MAX_ANNOTATIONS = 1_000
MAX_TEXT = 2_000
"""Characters of a line that are kept."""

RUN = "##[group]Run "
_END = "##[endgroup]"
_EXIT = re.compile(r"##\[error\].*?\bexit code (?P<status>-?\d{1,9})\.?\s*$")
_LEVEL = re.compile(r"##\[(?P<level>error|warning|notice)\](?P<message>.*)")
_COMMAND = re.compile(
    r"::(?P<level>error|warning|notice)(?: (?P<properties>[^:]*(?::(?!:)[^:]*)*))?::(?P<message>.*)"
)
_PLACE = re.compile(
    r"(?P<path>(?:[A-Za-z]:)?[^\s:]+\.\w{1,8}):(?P<line>\d{1,7})(?::\d{1,7})?:? ?(?P<message>.*)"
)
_ESCAPES = (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%"))
_CANCELLED = ("##[error]The operation was canceled", "##[error]The runner has received a shutdown signal")


@dataclass(slots=True)
class Actions:
    """Collects the steps and annotations of the blocks it is shown, in the log's order."""

    annotations: list[LogAnnotation] = field(default_factory=list)
    limited: bool = False
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
                if line.startswith("##[error]") and (_EXIT.match(line) or line.startswith(_CANCELLED)):
                    bounds.append(index)
                    self._exit(line)
                self._annotate(line, block.first + index)
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

    def _exit(self, line: str) -> None:
        found = _EXIT.match(line)
        if found and self._steps and self._steps[-1].exit_status is None:
            self._steps[-1] = replace(self._steps[-1], exit_status=int(found["status"]))

    def _annotate(self, line: str, log_line: int) -> None:
        found = annotation(line, log_line=log_line)
        if found is None:
            return
        if len(self.annotations) >= 2 * MAX_ANNOTATIONS:
            # The first say how it began, the last why it ended.
            del self.annotations[MAX_ANNOTATIONS]
            self.limited = True
        self.annotations.append(found)


def annotation(line: str, *, log_line: int) -> LogAnnotation | None:
    """The annotation that this line makes, if any: ``##[error]…`` or ``::error file=…::…``."""
    text = line[: 2 * MAX_TEXT]
    if found := _LEVEL.match(text):
        message, path, number = found["message"], "", None
        if place := _PLACE.fullmatch(message):
            path, number, message = place["path"], int(place["line"]), place["message"]
        return LogAnnotation(
            level=found["level"], message=message[:MAX_TEXT], log_line=log_line, path=path, line=number
        )
    found = _COMMAND.match(text)
    if found is None:
        return None
    properties = {
        part.partition("=")[0].strip(): _plain(part.partition("=")[2])
        for part in (found["properties"] or "").split(",")
    }
    said = properties.get("line", "")
    return LogAnnotation(
        level=found["level"],
        message=_plain(found["message"])[:MAX_TEXT],
        log_line=log_line,
        path=properties.get("file", ""),
        line=int(said) if said.isdecimal() and len(said) < 8 else None,
    )


def _plain(text: str) -> str:
    for escape, character in _ESCAPES:
        text = text.replace(escape, character)
    return text


def _with_head(step: LogStep, head: Sequence[str]) -> LogStep:
    """The step with what the runner printed before it ran: script, shell, inputs, variables."""
    script: list[str] = []
    shell, section = "", ""
    tables: dict[str, list[tuple[str, str]]] = {"with:": [], "env:": []}
    for line in head:
        if line.startswith("shell: ") and not shell:
            shell, section = line[len("shell: ") :].strip(), "shell"
        elif line.rstrip() in tables:
            section = line.rstrip()
        elif section in tables:
            name, colon, value = line.strip().partition(":")
            if colon and line.startswith("  "):
                tables[section].append((name, value.strip()))
        elif not section:
            script.append(line)
    return replace(
        step,
        script=tuple(script) if shell else (),
        shell=shell,
        inputs=tuple(tables["with:"]),
        environment=tuple(tables["env:"]),
    )
