"""Which of the project's code was called while it was imported: its old form may have left traces."""

from __future__ import annotations

import collections
import sys
import threading
import types
import weakref
from typing import Any, Dict, Iterable, List, Tuple

from .modules import asked

Key = Tuple[str, int, str]  # of a function: its file, first line (1-based) and name
# What the call of a generator or coroutine function makes, before a line of it runs: where it keeps its code.
CALLED = {
    types.GeneratorType: "gi_code", types.CoroutineType: "cr_code", types.AsyncGeneratorType: "ag_code"
}  # fmt: skip
# By number: a class of the project's may raise when it is compared or hashed.
_LISTS = (set, frozenset, list, collections.deque)
_DICTS = (dict, collections.defaultdict, collections.OrderedDict)
ONE_SIDED = frozenset(map(id, _LISTS))
CONTAINERS = ONE_SIDED.union(map(id, _DICTS))
CALLS = frozenset(map(id, CALLED))


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

    def registered(self, modules: Iterable[Any], objects: List[Any]) -> "set[Key]":
        """Functions of which a set, list or dict of code objects, such as a decorator fills, holds the code.

        It is among ``objects``, all that the collector knows of. It does not know of a dict of numbers by
        code; these are looked for in the ``modules``, in their classes and in what they hold.
        """
        held = [one for one in objects if id(type(one)) in CONTAINERS]
        for module in modules:
            for one in list(module.__dict__.values()) if type(module) is types.ModuleType else ():
                held.append(one)
                held += _attributes(one, self._prefix)
        found = (code for one in held if one is not self._codes for code in _codes_in(one))
        return {key_of(code) for code in found if code.co_filename.startswith(self._prefix)}

    def _on_event(self, frame: Any, event: str, _argument: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(self._prefix):
            self._codes[id(frame.f_code)] = frame.f_code


def _attributes(held: Any, prefix: str) -> List[Any]:
    """What a class that was defined below ``prefix``, or an object of one, has as attributes."""
    kind = held if issubclass(type(held), type) else type(held)  # isinstance would ask the object
    name = type.__dict__["__module__"].__get__(kind)
    file = asked(sys.modules.get(name), "__file__") if type(name) is str else None
    if type(file) is not str or not file.startswith(prefix):
        return []
    found = list(type.__dict__["__dict__"].__get__(kind).values())
    try:
        return found if held is kind else found + list(object.__getattribute__(held, "__dict__").values())
    except Exception:  # an object without attributes, or with a __dict__ of its own
        return found


def _codes_in(held: Any) -> Iterable[types.CodeType]:
    """The code objects in a container of these, or of pairs with one; of a dict, its keys or its values."""
    kind = id(type(held))
    if kind not in CONTAINERS or not held:
        return ()
    sides: Tuple[Iterable[Any], ...] = (held,)
    if kind not in ONE_SIDED:
        sides = dict.keys(held), dict.values(held)
    found: List[types.CodeType] = []
    for side in sides:
        if type(_open(next(iter(side), None))) is types.CodeType:
            found += [code for code in map(_open, side) if type(code) is types.CodeType]
    return found


def _open(held: Any) -> Any:
    if type(held) is tuple and held:
        held = held[0]
    return held() if type(held) is weakref.ref else held


def key_of(code: types.CodeType) -> Key:
    """What distinguishes a function from the others, whether it was changed or not."""
    return code.co_filename, code.co_firstlineno, code.co_name
