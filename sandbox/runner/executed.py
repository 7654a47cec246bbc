"""Which of the project's code was called while it was imported: its old form may have left traces."""

from __future__ import annotations

import gc
import sys
import threading
import types
from typing import Any, Dict, Iterator, Tuple

Key = Tuple[str, int, str]  # of a function: its file, first line (1-based) and name
# What the call of a generator or coroutine function makes, before a line of it runs: where it keeps its code.
CALLED = {
    types.GeneratorType: "gi_code", types.CoroutineType: "cr_code", types.AsyncGeneratorType: "ag_code"
}  # fmt: skip


class Executed:
    """Which code of files below ``prefix`` was called between ``start`` and ``stop``."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._codes: Dict[int, types.CodeType] = {}

    def start(self) -> None:
        """Begin to watch, in this thread and in those that begin later."""
        threading.setprofile(self._on_event)
        sys.setprofile(self._on_event)

    def stop(self) -> bool:
        """Stop; False when somebody else watched instead, so that not all was seen."""
        undisturbed = sys.getprofile() == self._on_event
        sys.setprofile(None)
        threading.setprofile(None)
        self._codes.update((id(code), code) for code in self._waiting())
        return undisturbed

    def keys(self) -> "set[Key]":
        """What was called, as functions are found by."""
        return {key_of(code) for code in self._codes.values()}

    def _on_event(self, frame: Any, event: str, _argument: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(self._prefix):
            self._codes[id(frame.f_code)] = frame.f_code

    def _waiting(self) -> Iterator[types.CodeType]:
        """The code of generators and coroutines that are there: they go on with what they were made with."""
        for candidate in gc.get_objects():
            name = CALLED.get(type(candidate))
            code = getattr(candidate, name) if name else None
            if code is not None and code.co_filename.startswith(self._prefix):
                yield code


def key_of(code: types.CodeType) -> Key:
    """What distinguishes a function from the others, whether it was changed or not."""
    return code.co_filename, code.co_firstlineno, code.co_name
