"""Reads a trajectory: all that can be read of it, with a word on what cannot.

A file may be cut off, damaged, or made by someone else: whatever it holds, reading it ends in data.
"""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.errors import ConfigurationError
from bot.trajectory import FORMAT_VERSION

MAX_BYTES = 256 * 1024 * 1024
_MAX_NOTES = 20
_TAIL = 1024 * 1024

Event = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A trajectory as it was read; ``notes`` say what is missing or damaged.

    ``header`` is empty where the file has none. ``events`` are those between it and the result, the
    beginnings of resumed processes included; ``result`` is None for a run that did not come to its end.
    """

    path: Path
    header: Event
    events: tuple[Event, ...]
    result: Event | None
    notes: tuple[str, ...] = ()


def read(path: Path) -> Recording:
    """The trajectory at ``path``.

    Raises:
        ConfigurationError: it cannot be opened, or holds no line of a trajectory.
    """
    lines: list[Event] = []
    notes: list[str] = []
    try:
        for number, line in _lines(path):
            event = _event(line)
            if event is not None:
                lines.append(event)
            elif line.strip():
                notes.append(f"line {number} cannot be read")
    except OSError as error:
        raise ConfigurationError(f"cannot read {path}: {error.strerror}") from error
    if not lines:
        raise ConfigurationError(f"{path} is no trajectory: it holds no line of one")
    header: Event = lines.pop(0) if lines[0]["kind"] == "run" else {}
    result = next((event for event in reversed(lines) if event["kind"] == "result"), None)
    return Recording(
        path=path,
        header=header,
        events=tuple(event for event in lines if event is not result),
        result=result,
        notes=(*_findings(header, lines, result), *_short(notes)),
    )


def plain_data(recording: Recording) -> dict[str, Any]:
    """``recording`` as JSON has it."""
    return {
        "path": str(recording.path),
        "notes": list(recording.notes),
        "header": recording.header,
        "events": list(recording.events),
        "result": recording.result,
    }


def is_trajectory(path: Path) -> bool:
    """Whether the file at ``path`` begins like a trajectory."""
    try:
        with path.open("rb") as file:
            event = _event(file.readline(_TAIL))
    except OSError:
        return False
    return event is not None and event["kind"] == "run"


def last_moment(path: Path) -> float:
    """The seconds of the last event in the file; 0 where it has none that can be read."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - _TAIL))
            events = [event for line in file if (event := _event(line)) is not None]
    except OSError:
        return 0.0
    return max((moment(event) for event in events), default=0.0)


def moment(event: Event) -> float:
    """When ``event`` happened, in seconds of the run."""
    return number(event.get("at"))


def number(value: object) -> float:
    """``value`` where it is a sensible number, else 0."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    return float(value) if abs(value) < 1e12 else 0.0


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    size = 0
    with path.open("rb") as file:
        for count, line in enumerate(file, 1):
            size += len(line)
            if size > MAX_BYTES:
                return
            yield count, line


def _event(line: bytes) -> Event | None:
    try:
        value = json.loads(line, parse_float=_finite, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and isinstance(value.get("kind"), str) else None


def _finite(text: str) -> float | None:
    """A number of a file; None where JSON could not hold it again."""
    value = float(text)
    return value if math.isfinite(value) else None


def _findings(header: Event, lines: list[Event], result: Event | None) -> Iterator[str]:
    if not header:
        yield "the beginning is missing"
    elif number(header.get("format")) > FORMAT_VERSION:
        yield "it was written by a newer Regreen: some of it may be missing here"
    if result is None:
        error = next((event for event in reversed(lines) if event["kind"] == "error"), None)
        running = "the end is missing: it still runs, or was killed"
        yield f"it ended early: {error.get('type')}" if error else running


def _short(notes: list[str]) -> list[str]:
    more = [f"{len(notes) - _MAX_NOTES} more lines cannot be read"] if len(notes) > _MAX_NOTES else []
    return notes[:_MAX_NOTES] + more
