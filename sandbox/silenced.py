"""Parsing without warnings, in any thread."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock

_LOCK = RLock()


@contextmanager
def silenced() -> Iterator[None]:
    """Without warnings, such as a parser's of an unknown escape. All threads share them before 3.14."""
    with _LOCK, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
