"""Writes a run's trajectory, a line for each event, so that a kill costs the last line at most.

Every text is scrubbed of secrets before it is cut to its limit, and each line is handed to the system at
once. A disk that is full or gone ends the recording with a word to the user, and never the repair.
"""

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Self

from bot.errors import ConfigurationError
from bot.ports import Clock
from bot.scrub import Scrubber
from bot.trajectory import FORMAT_VERSION
from bot.trajectory.reading import is_trajectory, last_moment

# A prompt or a reply is some kilobytes; more is a log that got in.
MAX_CHARACTERS = 100_000
MAX_ITEMS = 2_000
MAX_BYTES = 64 * 1024 * 1024
_DEEPEST = 20
_LARGEST = 10**18
# These describe the whole run, so they are kept even where its events are too many.
_ALWAYS = frozenset({"result", "error"})


class TrajectoryWriter:
    """``ports.Trajectory`` in the file ``path``; a context manager that closes it.

    ``header`` describes the run. Where ``resume`` is set, the file goes on: its seconds count up from the
    last ones in it. ``warn`` hears once when nothing more can be written.

    Raises:
        ConfigurationError: the file cannot be written, or holds something that is no trajectory.
    """

    def __init__(  # noqa: PLR0913 - each by its name
        self,
        path: Path,
        *,
        header: Mapping[str, object],
        clock: Clock,
        scrub: Scrubber,
        resume: bool = False,
        warn: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.path = path
        self._clock, self._scrub, self._warn = clock, scrub, warn
        self._written, self._full = 0, False
        goes_on = resume and is_trajectory(path)
        self._earlier = last_moment(path) if goes_on else 0.0
        self._file = _opened(path, append=goes_on)
        self._started = clock()
        if goes_on:
            again = {name: header[name] for name in ("regreen", "started") if name in header}
            self._write({"kind": "resumed", "at": round(self._earlier, 3), **again})
        else:
            self._write({"kind": "run", "format": FORMAT_VERSION, **header})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: object, _trace: object) -> None:
        if error is not None:
            # as the command line ends with it: a person who reads this later asks the same question
            self.note("error", type=type(error).__name__, message=str(error))
        self.close()

    @property
    def elapsed(self) -> float:
        """Seconds since the run began, those of earlier processes included."""
        return self._earlier + self._clock() - self._started

    def note(self, kind: str, **fields: object) -> None:
        """See ``ports.Trajectory``."""
        if self._written > MAX_BYTES and kind not in _ALWAYS:
            if not self._full:
                self._full = True
                self._write({"kind": "full", "message": f"more than {MAX_BYTES} bytes: the rest is left out"})
            return
        self._write({"kind": kind, "at": round(self.elapsed, 3), **fields})

    def close(self) -> None:
        """Close the file; what is noted later is dropped."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _write(self, event: Mapping[str, object]) -> None:
        if self._file < 0:
            return
        clean = _limited(self._scrub.within(_plain(event)), 0)
        line = json.dumps(clean, separators=(",", ":"), allow_nan=False).encode("ascii") + b"\n"
        try:
            rest = memoryview(line)
            while rest:
                rest = rest[os.write(self._file, rest) :]
        except OSError as error:
            self.close()
            self._warn(f"the trajectory ends here: {self.path} cannot be written: {error.strerror}")
        self._written += len(line)


def _opened(path: Path, *, append: bool) -> int:
    if not append and path.exists() and not _may_be_replaced(path):
        raise ConfigurationError(f"--trajectory: {path} exists and is no trajectory: name another file")
    flags = os.O_WRONLY | os.O_CREAT | (os.O_APPEND if append else os.O_TRUNC) | os.O_CLOEXEC
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, flags, 0o600)
        if append and not _ends_with_newline(path):
            os.write(descriptor, b"\n")  # what a kill cut off stays a line of its own
    except OSError as error:
        raise ConfigurationError(f"--trajectory: cannot write {path}: {error.strerror}") from error
    return descriptor


def _may_be_replaced(path: Path) -> bool:
    try:
        # a pipe or a terminal is written to; nothing is lost there
        return not path.is_file() or path.stat().st_size == 0 or is_trajectory(path)
    except OSError:
        return False


def _ends_with_newline(path: Path) -> bool:
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 1))
        return file.read() in {b"", b"\n"}


def _plain(value: object, depth: int = 0) -> object:
    """``value`` as JSON can hold it; what it cannot becomes a text."""
    if depth > _DEEPEST:
        return "..."
    if value is None or isinstance(value, bool | str) or (isinstance(value, int) and abs(value) < _LARGEST):
        return value
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else str(value)  # noqa: PLR0124 - NaN
    if isinstance(value, Mapping):
        return {str(key): _plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        items = sorted(value, key=str) if isinstance(value, set | frozenset) else value
        return [_plain(item, depth + 1) for item in items]
    return f"an integer of {value.bit_length()} bits" if isinstance(value, int) else str(value)


def _limited(value: object, depth: int) -> object:
    """``value`` with giant texts and lists cut, each with a note of what is missing."""
    if isinstance(value, str) and len(value) > MAX_CHARACTERS:
        return f"{value[:MAX_CHARACTERS]}\n[cut: {len(value) - MAX_CHARACTERS} more characters]"
    if isinstance(value, dict):
        return {key[:200]: _limited(item, depth + 1) for key, item in list(value.items())[:MAX_ITEMS]}
    if isinstance(value, list):
        cut = [f"[cut: {len(value) - MAX_ITEMS} more]"] if len(value) > MAX_ITEMS else []
        return [*(_limited(item, depth + 1) for item in value[:MAX_ITEMS]), *cut]
    return value
