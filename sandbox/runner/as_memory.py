"""Read parts of objects as memory, to see whether they are what they were.

Whoever uses an object writes its count of references, and in a fork each page that is written to has to be
copied first: that took most of the time of a comparison. What is read as memory is left alone.

Only where an object's parts were found in its memory is it read so: elsewhere there is None instead.
"""

from __future__ import annotations

import ctypes
import gc
import sys

# By names of our own: a candidate may replace those that everybody has, and must not be believed then.
from builtins import bytes, dict, enumerate, id, len, list, range, sum, type, zip
from itertools import accumulate
from types import FunctionType
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

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
CHUNK = 8192
MAX_VECTORS = 1024  # of one call; Linux's UIO_MAXIOV
_IS_READ_AT_ONCE = False
try:
    from os import close as _close
    from os import memfd_create as _memory_file
    from os import pread as _pread

    _write = ctypes.PyDLL(None).writev
    _write.argtypes = (ctypes.c_int, ctypes.c_void_p, ctypes.c_int)
    _write.restype = ctypes.c_ssize_t
    _compare = ctypes.PyDLL(None).memcmp
    _compare.argtypes = (ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t)
    _IS_READ_AT_ONCE = True
except (ImportError, OSError, AttributeError):  # before CPython 3.8, and where there is no such library
    pass
CLASS_BYTES: int = vars(type)["__basicsize__"].__get__(type)
HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE


class MemoryBytes:
    """``size`` bytes from ``address`` on, which have to stay readable."""

    def __init__(self, address: int, size: int) -> None:
        self.address, self.size = address, size
        self._view = memoryview((ctypes.c_char * size).from_address(address)).cast("B")
        self._before = bytes(self._view)

    @property
    def before(self) -> bytes:
        """What was there in the beginning."""
        return self._before

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
        self.places = (reference, entries)
        self._kept = dict(dictionary)  # nothing else can come to lie where something of it did

    def is_same(self) -> bool:
        """Whether no entry was added, removed or replaced; False where that is not sure."""
        return self._reference.is_same() and self._entries.is_same()


class Gathered:
    """Groups of places that the kernel reads at once: not even what stands for them here is used."""

    def __init__(self, groups: Sequence[Sequence[MemoryBytes]]) -> None:
        self._kept = groups
        places = [place for group in groups for place in group]
        before = b"".join(place.before for place in places)
        self._before, self._size = ctypes.create_string_buffer(before, len(before) or 1), len(before)
        self._address = ctypes.addressof(self._before)
        self._ends = list(accumulate(sum(place.size for place in group) for group in groups))
        # An array of pairs of an address and a size: struct iovec.
        words = [word for place in places for word in (place.address, place.size)]
        self._vectors = (ctypes.c_size_t * len(words))(*words)
        self._calls = [
            (ctypes.addressof(self._vectors) + 2 * WORD * first, min(MAX_VECTORS, len(places) - first))
            for first in range(0, len(places), MAX_VECTORS)
        ]

    def changed(self) -> List[int]:
        """The numbers of those groups of which not all is there still; of all where that is not sure."""
        everything = list(range(len(self._ends)))
        if not _IS_READ_AT_ONCE:
            return everything
        try:
            file = _memory_file("seal")
        except OSError:
            return everything
        try:
            for address, count in self._calls:
                _write(file, address, count)
            if self._is_in(file):
                return []
            now = bytes(_pread(file, self._size + 1, 0))
        finally:
            _close(file)
        if len(now) != self._size:
            return everything
        before, pairs = self._before.raw, zip([0, *self._ends], self._ends)
        return [number for number, (i, j) in enumerate(pairs) if now[i:j] != before[i:j]]

    def _is_in(self, file: int) -> bool:
        """Whether ``file`` holds what was there in the beginning; large objects would be new memory."""
        place = 0
        while place < self._size:
            now = _pread(file, CHUNK, place)
            if not now or _compare(now, self._address + place, len(now)):
                return False
            place += len(now)
        return not _pread(file, 1, place)


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


def uses(value: Any) -> List[MemoryBytes]:
    """What decides whether ``value`` can be called, or is looked up by code of its own."""
    if not USES_ARE_KNOWN:
        return []
    kind = id(type(value))
    return [MemoryBytes(place, WORD) for place in (id(value) + WORD, *(kind + n * WORD for n in _USES))]


def _uses_are_known() -> bool:
    """Whether these words of a class's memory are what ``_USES`` says."""

    class Bare:
        pass

    class Called:
        def __call__(self) -> None: ...

    class Got:
        def __get__(self, *_: Any) -> None: ...

    if not KNOWN:
        return False
    bare, called, got = (MemoryBytes(id(kind), CLASS_BYTES).words() for kind in (Bare, Called, Got))
    call, get = _USES
    return not (bare[call] or bare[get] or called[get] or got[call]) and bool(called[call] and got[get])


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


# In a class's memory, by words: ``tp_call`` and ``tp_descr_get`` (Include/cpython/object.h).
_USES = (16, 34)
USES_ARE_KNOWN = _uses_are_known()
_PLACE = _place()
_ORDER_AT = _order_at()
