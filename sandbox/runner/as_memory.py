"""Read parts of objects as memory, to see whether they are what they were.

Whoever uses an object writes its count of references, and in a fork each page that is written to has to be
copied first: that took most of the time of a comparison. What is read as memory is left alone.

Only where an object's parts were found in its memory is it read so: elsewhere there is None instead.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from types import FunctionType
from typing import Any, Dict, List, Mapping, Optional, Tuple

WORD = ctypes.sizeof(ctypes.c_void_p)
# In CPython 3.7 to 3.14 with its global lock (Include/cpython/dictobject.h): where a dictionary refers to its
# table, and how large it is without it. A table begins with what mere use of the names may change.
TABLE_AT, DICTIONARY_BYTES, HEAD_BYTES = 4 * WORD, 6 * WORD, 3 * WORD
KNOWN = (
    sys.implementation.name == "cpython"
    and (3, 7) <= sys.version_info < (3, 15)
    and object.__basicsize__ == 2 * WORD
    and dict.__basicsize__ == DICTIONARY_BYTES
)
CLASS_BYTES: int = vars(type)["__basicsize__"].__get__(type)
HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE


class MemoryBytes:
    """``size`` bytes from ``address`` on, which have to stay readable."""

    def __init__(self, address: int, size: int) -> None:
        self._view = memoryview((ctypes.c_char * size).from_address(address)).cast("B")
        self._before = bytes(self._view)

    def words(self) -> List[int]:
        """What was there in the beginning."""
        return list(memoryview(self._before).cast("L"))

    def is_same(self) -> bool:
        """Whether it is there still."""
        return self._view == self._before


class Table:
    """The entries of a dictionary, whose table is at another place once they no longer fit in it."""

    def __init__(self, dictionary: Dict[Any, Any], reference: MemoryBytes, entries: MemoryBytes) -> None:
        self._dictionary, self._reference, self._entries = dictionary, reference, entries
        self._kept = dict(dictionary)  # nothing else can come to lie where something of it did

    def is_same(self) -> bool:
        """Whether no entry was added, removed or replaced; False where that is not sure."""
        return self._reference.is_same() and self._entries.is_same()


def table(mapping: Mapping[str, Any]) -> Optional[Table]:
    """The entries of ``mapping``, the ``vars`` of a module or class."""
    if not KNOWN:
        return None
    dictionary = mapping if type(mapping) is dict else gc.get_referents(mapping)[0]
    if type(dictionary) is not dict:
        return None
    reference = MemoryBytes(id(dictionary) + TABLE_AT, WORD)
    size = dictionary.__sizeof__() - DICTIONARY_BYTES - HEAD_BYTES
    if size <= 0:
        return None  # its keys are shared with other dictionaries
    entries = MemoryBytes(reference.words()[0] + HEAD_BYTES, size)
    if not {id(value) for value in dictionary.values()}.issubset(entries.words()):
        return None
    return Table(dictionary, reference, entries)


def parts(one: Any) -> Optional[MemoryBytes]:
    """What runs when ``one`` is used, a function or a decorator of Python's own; None for others."""
    if type(one) is FunctionType and _PLACE is not None:
        return MemoryBytes(id(one) + _PLACE[0], _PLACE[1])
    if KNOWN and type(one) in (property, classmethod, staticmethod):
        return MemoryBytes(id(one) + 2 * WORD, type(one).__basicsize__ - 2 * WORD)
    return None


def bases(kind: type) -> Optional[MemoryBytes]:
    """The order of bases of ``kind``, where that is a class made by a class statement."""
    is_made = bool(kind.__flags__ & HEAP_TYPE)
    return MemoryBytes(id(kind) + _ORDER_AT, WORD) if is_made and _ORDER_AT else None


def _order_at() -> int:
    """Where in a class's memory it refers to the order of its bases; 0 if unknown."""

    class Sample:
        pass

    words = MemoryBytes(id(Sample), CLASS_BYTES).words() if KNOWN else []
    order = id(Sample.__mro__)
    return words.index(order) * WORD if words.count(order) == 1 else 0


def _place() -> "Optional[Tuple[int, int]]":
    """Where in a function's memory these are, and over how many bytes."""

    def sample(one: Any = sys, *, two: Any = ()) -> Any:
        return one, two

    if not KNOWN:
        return None
    words = MemoryBytes(id(sample), FunctionType.__basicsize__).words()
    parts = [id(sample.__code__), id(sample.__defaults__), id(sample.__kwdefaults__)]
    if any(words.count(part) != 1 for part in parts):
        return None
    places = sorted(words.index(part) for part in parts)
    # They stand together, at most with the globals among them, which never change.
    return (places[0] * WORD, (places[-1] - places[0] + 1) * WORD) if places[-1] - places[0] <= 3 else None


_PLACE = _place()
_ORDER_AT = _order_at()
