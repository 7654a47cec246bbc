"""A run as a file of JSON lines: a header that pins what is measured, then a line for each task as it ends.

It knows nothing of what the lines say beyond ``task``, the name by which a resumed run skips what is done.
"""

from __future__ import annotations

import json
import os
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
    """A run as it was read; ``rows`` in the order in which the tasks ended."""

    header: Row
    rows: tuple[Row, ...]


@dataclass(slots=True, kw_only=True)
class RunWriter:
    """Adds rows to a run; each is in the file when ``add`` returns. ``done`` are the rows of before."""

    done: tuple[Row, ...]
    _sink: IO[bytes]

    def add(self, row: Row) -> None:
        """Append ``row``."""
        self._sink.write(_line(row))
        self._sink.flush()


def read(path: Path) -> Run:
    """The run at ``path``; a last line that was cut off by a kill is left out.

    Raises:
        OSError: it cannot be read.
        ConfigurationError: it is no run.
    """
    return _parse(path, _whole_lines(path.read_bytes()))


@contextmanager
def write(path: Path, header: Row, *, resume: bool) -> Iterator[RunWriter]:
    """Begin the run at ``path``, or with ``resume`` go on with it if it is there.

    Raises:
        OSError: it cannot be written.
        ConfigurationError: there is a run already and ``resume`` is not asked for, or it measures
            something else than ``header`` says.
    """
    kept = b""
    done: tuple[Row, ...] = ()
    if path.exists() and path.stat().st_size:
        if not resume:
            raise ConfigurationError(f"{path} holds a run already: pass --resume, or another --output")
        kept = _whole_lines(path.read_bytes())
        if kept:
            before = _parse(path, kept)
            _same(before.header, header, path)
            done = before.rows
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as sink:
        os.ftruncate(sink.fileno(), len(kept))  # a torn line would swallow the next one
        writer = RunWriter(done=done, _sink=sink)
        if not kept:
            writer.add(header)
        yield writer


def _whole_lines(data: bytes) -> bytes:
    return data[: data.rfind(b"\n") + 1]


def _parse(path: Path, data: bytes) -> Run:
    try:
        header, *rows = [json.loads(line) for line in data.splitlines()]
    except ValueError as error:
        raise ConfigurationError(f"{path} is no run of a benchmark: {error}") from error
    if not isinstance(header, dict) or "benchmark" not in header:
        raise ConfigurationError(f"{path} is no run of a benchmark: its first line is no header")
    return Run(header=header, rows=tuple(rows))


def _same(before: Row, now: Row, path: Path) -> None:
    plain = json.loads(_line(now))
    differing = sorted(name for name in {*before, *plain} - UNPINNED if before.get(name) != plain.get(name))
    if differing:
        told = "; ".join(f"{name} was {before.get(name)}, is {plain.get(name)}" for name in differing)
        raise ConfigurationError(f"{path} measures something else: {told}")


def _line(row: Row) -> bytes:
    return json.dumps(row, separators=(",", ":")).encode() + b"\n"
