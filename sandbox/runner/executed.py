"""Which of the project's code was called while it was imported: its old form may have left traces."""

from __future__ import annotations

import collections
import sys
import threading
import types
import weakref
from typing import Any, Dict, List, Tuple

Key = Tuple[str, int, str]  # of a function: its file, first line (1-based) and name
# What the call of a generator or coroutine function makes, before a line of it runs: where it keeps its code.
CALLED = {
    types.GeneratorType: "gi_code", types.CoroutineType: "cr_code", types.AsyncGeneratorType: "ag_code"
}  # fmt: skip
CALLS = frozenset(map(id, CALLED))  # by number: a class of the project's may raise when it is compared


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
        return undisturbed

    def note_waiting(self, objects: List[Any]) -> None:
        """Count the code of generators and coroutines among ``objects``: they go on with what they have."""
        for one in [one for one in objects if id(type(one)) in CALLS]:
            code = getattr(one, CALLED[type(one)])
            if code is not None and code.co_filename.startswith(self._prefix):
                self._codes[id(code)] = code

    def keys(self) -> "set[Key]":
        """What was called, as functions are found by."""
        return {key_of(code) for code in self._codes.values()}

    def held(self, objects: List[Any]) -> "set[Key]":
        """Functions among ``objects`` and within whose code something else holds, as a registry does.

        Code is referred to by its functions, by the code around it and by this watch. Where there are more
        references than these, or weak ones, somebody has kept it, and would not know of other code.
        """
        outer = [one.__code__ for one in objects if type(one) is types.FunctionType]
        outer = [code for code in outer if code.co_filename.startswith(self._prefix)]
        uses = collections.Counter(map(id, outer))
        outer += self._codes.values()
        uses.update(list(self._codes))
        codes: Dict[int, types.CodeType] = {0: compile("0", "", "exec")}  # which nobody else holds
        constants: Dict[int, Any] = {}  # which a copy of code with another name or flag shares
        while outer:
            codes.update((id(code), code) for code in outer)
            new = {
                id(code.co_consts): code.co_consts for code in outer if id(code.co_consts) not in constants
            }
            constants.update(new)
            outer = [one for held in new.values() for one in held if type(one) is types.CodeType]
            uses.update(map(id, outer))
            outer = [code for code in outer if id(code) not in codes]
        counts = {number: sys.getrefcount(code) for number, code in codes.items()}
        weak = {number for number, code in codes.items() if weakref.getweakrefcount(code)}
        more = {number for number, count in counts.items() if count > counts[0] + uses[number]}
        return {key_of(codes[number]) for number in more | weak}

    def _on_event(self, frame: Any, event: str, _argument: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(self._prefix):
            self._codes[id(frame.f_code)] = frame.f_code


def key_of(code: types.CodeType) -> Key:
    """What distinguishes a function from the others, whether it was changed or not."""
    return code.co_filename, code.co_firstlineno, code.co_name
