"""Keep the end of what failed: what ended a job stands there, though the reader may know none of it."""

from dataclasses import dataclass, field

from bot.cilog.clean import TextBlock

TAIL_LINES = 60
"""What stands this close to a step's end is likely to be what ended it."""

MAX_LINE = 1_000
"""Characters of a line that are kept."""


@dataclass(slots=True)
class LastLines:
    """The lines up to the end of the last step that failed, by number; up to the log's where none did."""

    lines: dict[int, str] = field(default_factory=dict)
    _recent: list[str] = field(default_factory=list)
    _failed: bool = False

    def read(self, block: TextBlock, failed_at: int) -> None:
        """Take a block; the last step that failed did so in the line ``failed_at``, 0 for none."""
        first = block.first - len(self._recent)
        lines = [*self._recent, *block.lines]
        end = len(lines) - 1
        if failed_at >= block.first:
            end, self._failed = failed_at - first, True
        if failed_at >= block.first or not self._failed:
            start = max(0, end - TAIL_LINES)
            self.lines = {first + at: lines[at][:MAX_LINE] for at in range(start, end + 1)}
        self._recent = [line[:MAX_LINE] for line in lines[-TAIL_LINES:]]
