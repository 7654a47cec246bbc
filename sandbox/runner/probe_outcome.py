"""What a call came to, in a form that two processes can compare: never an object, only text about it.

Builtin values are written out by this module; of other objects the attributes are, and their own ``repr``
only where there are none. Whoever lies about himself in ``repr`` is believed no more than anybody else.
"""

from __future__ import annotations

import enum
import hashlib
import itertools
import re
from typing import Any, Dict, List, Optional

# kind (``value``, ``raised``, ``timeout``), name of the type, digest, text for people
Outcome = List[str]

DEPTH = 12
ITEMS = 2_000
TEXT_LIMIT = 160
DIGITS = 9
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
PLAIN = (int, str, bytes, bool, type(None), complex, range, slice)
ITERATORS = ("generator", "map", "filter", "zip", "enumerate", "reversed", "chain", "islice", "list_iterator")


def value_outcome(result: Any, before: str, arguments: Any) -> Optional[Outcome]:
    """``result``, together with what became of ``arguments``, whose canonical text was ``before``.

    None where it holds an object of which nothing but its address can be seen, such as a function's closure,
    other than as one attribute of several.
    """
    if type(result).__name__ in ITERATORS:
        result = list(itertools.islice(result, ITEMS))
    writer = _Writer()
    text = writer.write(result, 0)
    if writer.met_opaque:
        return None
    shown = text
    after = canonical(arguments)
    if after != before:
        text += " arguments: " + after
        shown = "%s; arguments become %s" % (shown[: TEXT_LIMIT // 2], after)
    return ["value", shape(result), _digest(text), shorten(shown)]


def raised_outcome(error: BaseException) -> Outcome:
    """An exception: its kind decides, what it says does not."""
    name = type(error).__name__
    return ["raised", name, _digest("raised " + name), shorten("raises " + name)]


def timeout_outcome() -> Outcome:
    """A call that did not come back."""
    return ["timeout", "", _digest("timeout"), "does not end in time"]


def ended_outcome() -> Outcome:
    """A call that was the end of its process."""
    return ["raised", "", _digest("ended"), "ends the process"]


def shape(value: Any) -> str:
    """The type's name; of a list, tuple or set with those of its items."""
    name = type(value).__name__
    if isinstance(value, (list, tuple, set, frozenset)):
        inner = sorted({type(item).__name__ for item in itertools.islice(value, 50)})
        return "%s[%s]" % (name, "|".join(inner[:4]))
    return name[:80]


def shorten(text: str) -> str:
    """One line that is not too long."""
    line = " ".join(text.split())
    return line if len(line) <= TEXT_LIMIT else line[: TEXT_LIMIT - 1] + "\u2026"


def canonical(value: Any) -> str:
    """A text that is the same for equal values: sets sorted, floats rounded, no address."""
    return _Writer().write(value, 0)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()


class _Writer:
    def __init__(self) -> None:
        self._items = 0
        self.met_opaque = False

    def write(self, value: Any, depth: int) -> str:
        kind = type(value)
        self._items += 1
        if depth > DEPTH or self._items > ITEMS:
            return "..."
        if kind is float:
            return _float(value)
        if kind in PLAIN:
            return _scrubbed(value)
        if kind in (list, tuple, set, frozenset):
            return self._collection(value, kind, depth)
        if kind is dict:
            return "{%s}" % self._pairs(value, depth)
        return self._object(value, kind, depth)

    def _collection(self, value: Any, kind: type, depth: int) -> str:
        parts = [self.write(item, depth + 1) for item in itertools.islice(value, ITEMS)]
        if kind is list:
            return "[%s]" % ", ".join(parts)
        if kind is tuple:
            return "(%s)" % ", ".join(parts)
        return "%s{%s}" % ("" if kind is set else "frozenset", ", ".join(sorted(parts)))

    def _pairs(self, value: Any, depth: int) -> str:
        found = itertools.islice(dict.items(value), ITEMS)
        return ", ".join("%s: %s" % (self.write(k, depth + 1), self.write(v, depth + 1)) for k, v in found)

    def _object(self, value: Any, kind: type, depth: int) -> str:
        name = str(type.__getattribute__(kind, "__name__"))
        if isinstance(value, enum.Enum):
            return "%s.%s" % (name, getattr(value, "_name_", None))
        inner: List[str] = []
        for base, write in ((dict, self._pairs), (list, None), (tuple, None), (set, None), (str, None)):
            if issubclass(kind, base):
                inner.append(write(value, depth) if write else self.write(base(value), depth + 1))
        try:
            fields: Dict[str, Any] = dict(object.__getattribute__(value, "__dict__"))
        except AttributeError:
            fields = {}
        for slot in _slots(kind):
            if hasattr(value, slot):
                fields.setdefault(slot, getattr(value, slot))
        if fields and not isinstance(value, type):
            names = sorted(key for key in fields if isinstance(key, str))
            inner += self._fields({key: fields[key] for key in names}, depth)
        if not inner:
            self.met_opaque = self.met_opaque or _is_opaque(value)
            return "<%s %s>" % (name, _scrubbed(value))
        return "%s(%s)" % (name, ", ".join(inner))

    def _fields(self, fields: Dict[str, Any], depth: int) -> List[str]:
        """The attributes of an object; one that shows nothing is no matter where others show something."""
        before, found, shown = self.met_opaque, [], False
        for name, value in fields.items():
            self.met_opaque = False
            found.append("%s=%s" % (name, self.write(value, depth + 1)))
            shown = shown or not self.met_opaque
        self.met_opaque = before or not shown
        return found


def _slots(kind: type) -> List[str]:
    found: List[str] = []
    for base in kind.__mro__:
        names = vars(base).get("__slots__", ())
        found += [names] if isinstance(names, str) else [name for name in names if isinstance(name, str)]
    return [name for name in found if name not in ("__dict__", "__weakref__")]


def _float(value: float) -> str:
    text = "%.*g" % (DIGITS, value)
    return text if any(letter in text for letter in ".en") else text + ".0"


def _scrubbed(value: Any) -> str:
    return ADDRESS.sub("", repr(value)[: 50 * TEXT_LIMIT])


def _is_opaque(value: Any) -> bool:
    """Whether its ``repr`` is the usual one with an address, of no class and no module's function."""
    try:
        return not isinstance(value, type) and ADDRESS.search(repr(value)) is not None
    except Exception:  # the object's own
        return True
