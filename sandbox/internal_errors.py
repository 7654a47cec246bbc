"""A defect in one part of Regreen costs that part, not the run: the exception is caught, counted and shown.

``guarded`` stands at the few places where parts are iterated over: rules, operators, parsers, readers. What
is meant for the user is never caught: a ``SandboxError``, and what ``let_through`` names; nor is a
``MemoryError`` or an interrupt. Where the variable ``REGREEN_STRICT`` is set, as in Regreen's own tests,
nothing is.
"""

from __future__ import annotations

import os
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from sandbox.errors import SandboxError

STRICT = "REGREEN_STRICT"
MAX_KEPT = 50
"""Defects that are kept; one that shows again and again is one of them, with a count."""

MAX_MESSAGE = 200

_ROOT = Path(__file__).resolve().parents[1]
_OWN = tuple(f"{_ROOT / package}{os.sep}" for package in ("bot", "sandbox"))
_lock = threading.Lock()
_open: list[InternalErrors] = []
_let_through: list[type[Exception]] = [SandboxError, MemoryError]
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class InternalError:
    """A defect that was caught: in which ``part``, the exception, where it was raised, and how often."""

    part: str
    exception: str
    message: str
    place: str
    times: int = 1

    def __str__(self) -> str:
        said = f"{self.exception}: {self.message}" if self.message else self.exception
        again = f" ({self.times} times)" if self.times > 1 else ""
        return f"{self.part}: {self.place}{again}: {said}"


class InternalErrors:
    """The defects that were caught while a ``collected`` block ran."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str, str], InternalError] = {}

    @property
    def found(self) -> tuple[InternalError, ...]:
        """In the order in which they showed first, each once; ``MAX_KEPT`` at most."""
        with _lock:
            return tuple(self._found.values())

    def forget(self) -> tuple[InternalError, ...]:
        """What was found until now; from here on it is new again."""
        with _lock:
            found = tuple(self._found.values())
            self._found.clear()
        return found

    def add(self, error: InternalError) -> None:
        """Count ``error``; a defect of the same part, type and place is the same."""
        key = (error.part, error.exception, error.place)
        known = self._found.get(key)
        if known is not None:
            self._found[key] = replace(known, times=known.times + 1)
        elif len(self._found) < MAX_KEPT:
            self._found[key] = error


@contextmanager
def collected() -> Iterator[InternalErrors]:
    """Collect the defects that are caught in this process until the block ends."""
    errors = InternalErrors()
    with _lock:
        _open.append(errors)
    try:
        yield errors
    finally:
        with _lock:
            _open[:] = [each for each in _open if each is not errors]


@contextmanager
def guarded(part: str) -> Iterator[None]:
    """End the block, and no more than that, where it raises; ``part`` is what a person calls it."""
    try:
        yield
    except tuple(_let_through):
        raise
    except Exception as error:
        _count(part, error)
        if os.environ.get(STRICT):
            raise


def each(part: str, items: Callable[[], Iterable[_Item]]) -> Iterator[_Item]:
    """What ``items()`` gives; where that raises midway, what came before it."""
    with guarded(part):
        yield from items()


def let_through(kind: type[Exception]) -> None:
    """Never catch exceptions of this ``kind``: they are meant for the user."""
    if kind not in _let_through:
        _let_through.append(kind)


def _count(part: str, error: Exception) -> None:
    line = "".join(c if c.isprintable() else " " for c in " ".join(str(error)[: 4 * MAX_MESSAGE].split()))
    message = line if len(line) <= MAX_MESSAGE else f"{line[:MAX_MESSAGE]}..."
    name, place = type(error).__name__, _place(error)
    found = InternalError(part=part, exception=name, message=message, place=place)
    with _lock:
        for errors in _open:
            errors.add(found)


def _place(error: Exception) -> str:
    """The innermost line of our own code that was at work."""
    frames = [(frame.f_code, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    frames = [frame for frame in frames if frame[0].co_filename != __file__] or frames
    own = [frame for frame in frames if frame[0].co_filename.startswith(_OWN)]
    code, line = (own or frames)[-1]
    path = code.co_filename.removeprefix(f"{_ROOT}{os.sep}")
    return f"{path}:{line}, in {code.co_name}"
