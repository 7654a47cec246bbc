"""What the tests call some functions with: copies of the arguments, made while the tests run."""

from __future__ import annotations

import copy
import sys
from time import process_time  # a test may freeze those of the module
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

from .probe_outcome import canonical

RECORDED_LIMIT = 30
COPY_SECONDS = 0.5
SIZE_LIMIT = 3_000
VAR_POSITIONAL, VAR_KEYWORD = 0x04, 0x08
NESTED = 0x10
RESUMABLE = 0x20 | 0x80 | 0x200  # generator, coroutine, async generator
Key = Tuple[str, str, int]  # file, name, first line


class Call(NamedTuple):
    """One call of a target: its arguments in order, by name where that is needed."""

    target: int
    positional: Tuple[Any, ...]
    named: Dict[str, Any]


class CallRecorder:
    """Keeps copies of what the target functions were called with, between ``start`` and ``stop``.

    What cannot be copied, and calls of functions within functions, ``try_out`` is given, with the frame.
    """

    def __init__(self, targets: Dict[Key, int], try_out: Callable[[Call, Any], None]) -> None:
        self._targets, self._try_out = targets, try_out
        self._seen: Dict[int, Tuple[Any, Optional[int]]] = {}
        self._depths: Dict[int, int] = {}
        self._texts: "set[str]" = set()
        self._copying = 0.0
        self.calls: List[Call] = []
        self.codes: Dict[int, Any] = {}

    def start(self) -> None:
        """Begin to record."""
        sys.setprofile(self._on_event)

    def stop(self) -> None:
        """Stop."""
        sys.setprofile(None)

    def _on_event(self, frame: Any, event: str, _argument: Any) -> None:
        code = frame.f_code
        known = self._seen.get(id(code))
        if known is None or known[0] is not code:
            key = code.co_filename, code.co_name, code.co_firstlineno
            known = self._seen[id(code)] = code, self._targets.get(key)
        target = known[1]
        if target is None:
            return
        if event == "call":
            depth = self._depths[target] = self._depths.get(target, 0) + 1
            if depth == 1 and _begins(frame):
                self._record(target, frame)
        elif event == "return":
            self._depths[target] = self._depths.get(target, 1) - 1

    def _record(self, target: int, frame: Any) -> None:
        self.codes[target] = frame.f_code
        if self._copying > COPY_SECONDS or sum(c.target == target for c in self.calls) >= RECORDED_LIMIT:
            return
        started = process_time()
        try:
            call = _call(target, frame)
            if not self._keeps(call, frame):
                self._try_out(call, frame)
        except Exception:  # of objects that cannot even be looked at
            pass
        self._copying += process_time() - started

    def _keeps(self, call: Call, frame: Any) -> bool:
        if frame.f_code.co_flags & NESTED or _size(call.positional) + _size(call.named) > SIZE_LIMIT:
            return False
        text = "%d %s" % (call.target, canonical(call[1:]))
        if text not in self._texts:
            try:
                self.calls.append(copy.deepcopy(call))
            except Exception:  # the class's own copying
                return False
            self._texts.add(text)
        return True


def _begins(frame: Any) -> bool:
    """Whether a "call" event is a call's, and not that of a generator which goes on with other values."""
    code, place = frame.f_code, frame.f_lasti
    if place < 0 or not code.co_flags & RESUMABLE:
        return True
    # RESUME's argument, since CPython 3.11, which had -1 as the place before.
    return sys.version_info >= (3, 11) and bool(code.co_code[place + 1] & 3 == 0)


def _call(target: int, frame: Any) -> Call:
    code, values = frame.f_code, frame.f_locals
    count, keywords = code.co_argcount, code.co_kwonlyargcount
    names = code.co_varnames
    positional = [values[name] for name in names[:count]]
    named = {name: values[name] for name in names[count : count + keywords]}
    rest = count + keywords
    if code.co_flags & VAR_POSITIONAL:
        positional += values[names[rest]]
        rest += 1
    if code.co_flags & VAR_KEYWORD:
        named.update(values[names[rest]])
    return Call(target, tuple(positional), named)


def _size(value: Any) -> int:
    """About how many things there are in ``value``; stops to count where it is too large."""
    total, waiting = 0, [value]
    while waiting and total <= SIZE_LIMIT:
        item = waiting.pop()
        total += 1
        if isinstance(item, (str, bytes)):
            total += len(item) // 16
        elif isinstance(item, dict):
            waiting += list(item.values())[: SIZE_LIMIT + 1]
        elif isinstance(item, (list, tuple, set, frozenset)):
            waiting += list(item)[: SIZE_LIMIT + 1]
    return total
