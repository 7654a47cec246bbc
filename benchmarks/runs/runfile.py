"""A run as JSON lines: a header that pins what was measured, then a line for each trial as it ends.

It knows nothing of what the lines say. A file is never held in memory as a whole, unless it is ``read``.
"""

import fcntl
import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from bot.errors import ConfigurationError

# What may differ between the beginning of a run and its continuation.
UNPINNED = frozenset({"started", "machine"})

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run as it was read; ``rows`` in the order in which the trials ended."""

    header: Row
    rows: tuple[Row, ...]


@dataclass(slots=True, kw_only=True)
class RunWriter:
    """Adds rows to a run; each is in the file when ``add`` returns."""

    _sink: IO[bytes]

    def add(self, row: Row) -> None:
        """Append ``row``."""
        self._sink.write(line(row))
        self._sink.flush()


def read(path: Path, *, without: frozenset[str] = frozenset()) -> Run:
    """The run at ``path``; a last line that was cut off by a kill is left out, and ``without`` of each row.

    Raises:
        OSError: it cannot be read.
        ConfigurationError: it is no run.
    """
    head = header(path)
    # Names are shared: ten thousand rows would hold ten thousand of each.
    kept = ({sys.intern(name): row[name] for name in row if name not in without} for row in rows(path))
    return Run(header=head, rows=tuple(kept))


def header(path: Path) -> Row:
    """The header of the run at ``path``.

    Raises:
        OSError: it cannot be read.
        ConfigurationError: it is no run.
    """
    first = next(_lines(path), None)
    if not isinstance(first, dict) or "benchmark" not in first:
        raise ConfigurationError(f"{path} is no run of a benchmark: its first line is no header")
    return first


def rows(path: Path) -> Iterator[Row]:
    """The rows of the run at ``path``, one after another.

    Raises:
        OSError: it cannot be read.
        ConfigurationError: a line is no row.
    """
    for number, row in enumerate(_lines(path), 1):
        if number == 1:
            continue
        if not isinstance(row, dict) or "task" not in row:
            raise ConfigurationError(f"{path} is no run of a benchmark: line {number} is no row")
        yield row


@contextmanager
def write(path: Path, head: Row, *, resume: bool) -> Iterator[RunWriter]:
    """Begin the run at ``path``, or with ``resume`` go on with it if it is there.

    Raises:
        OSError: it cannot be written.
        ConfigurationError: there is a run already and ``resume`` is not asked for, or it measures
            something else than ``head`` says, or another process is writing it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as sink:
        try:
            fcntl.flock(sink, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise ConfigurationError(f"{path} is being written by another process") from error
        sink.seek(0)
        whole = sum(len(text) for text in sink if text.endswith(b"\n"))
        if sink.seek(0, os.SEEK_END) and not resume:
            raise ConfigurationError(f"{path} holds a run already: pass --resume, or another --output")
        if whole:
            _same(header(path), head, path)
        sink.truncate(whole)  # a torn line would swallow the next one
        writer = RunWriter(_sink=sink)
        if not whole:
            writer.add(head)
        yield writer


def line(row: Row) -> bytes:
    """``row`` as a line of a run's file."""
    return json.dumps(row, separators=(",", ":")).encode() + b"\n"


def _lines(path: Path) -> Iterator[Any]:
    with path.open("rb") as stream:
        for text in stream:
            if not text.endswith(b"\n"):
                return
            try:
                yield json.loads(text)
            except ValueError as error:
                raise ConfigurationError(f"{path} is no run of a benchmark: {error}") from error


def _same(before: Row, now: Row, path: Path) -> None:
    plain = json.loads(line(now))
    differing = sorted(name for name in {*before, *plain} - UNPINNED if before.get(name) != plain.get(name))
    if differing:
        said = "; ".join(f"{name} was {before.get(name)}, is {plain.get(name)}" for name in differing)
        raise ConfigurationError(f"{path} measures something else: {said}")
