"""Notices when what tests are made of was changed in this process: pytest, unittest, and the runner itself.

``seal`` is called before any code of the project runs, ``changed`` after its tests. A project may well
change such things itself, so the supervisor objects only to what a candidate changes and the project alone
does not. Code that finds and changes this too gets past it; see docs/verdicts.md.
"""

from __future__ import annotations

import builtins
import sys

# By names of our own: a candidate may replace those that everybody has, and must not be believed then.
from builtins import (
    any,
    callable,
    dict,
    enumerate,
    getattr,
    hasattr,
    isinstance,
    len,
    list,
    range,
    set,
    sorted,
    type,
    vars,
    zip,
)
from types import FunctionType
from typing import Any, Dict, Iterator, List, Optional, Tuple

from . import as_memory

PACKAGE = "regreen_runner"
# Modules with their classes, and single classes, that decide how a test ends. What a version does not have is
# left out.
DECISIVE = (
    *("builtins:", "unittest.case:", "unittest.suite:", "unittest.result:"),
    *("_pytest.runner:", "_pytest.reports:BaseReport", "_pytest.reports:TestReport"),
    *("_pytest.python:", "_pytest.main:", "_pytest.unittest:", "_pytest.skipping:"),
    *("_pytest.nodes:Node", "_pytest.nodes:Item", "_pytest._code.code:ExceptionInfo"),
    *("pytest:", "_pytest.outcomes:", "_pytest.python_api:", "_pytest.raises:"),
    *("pluggy._callers:", "pluggy._hooks:HookCaller", "pluggy._hooks:_HookCaller", "pluggy._hooks:HookImpl"),
    *("pluggy._manager:PluginManager", "pluggy._result:", "_pytest.config:PytestPluginManager"),
    "contextlib:_GeneratorContextManager",
)
# What the interpreter itself keeps in a class.
UPKEEP = frozenset({"__abstractmethods__", "_abc_impl", "__annotations__", "__annotations_cache__"})
# What runs when it is used. All these can be set anew, though the object stays the same.
PARTS: Dict[type, Tuple[str, ...]] = {
    FunctionType: ("__code__", "__defaults__", "__kwdefaults__"),
    property: ("fget", "fset", "fdel"),
    classmethod: ("__func__",),
    staticmethod: ("__func__",),
}
_sealed: "Dict[str, _Sealed]" = {}
# The same as a list, what of it can be read as memory, and the numbers of what cannot.
_listed: "List[Tuple[str, _Sealed]]" = []
_gathered: List[as_memory.Gathered] = []
_unread: List[int] = []
# Of those that were other memory before any candidate ran, by number, the names of what had changed.
_settled: Dict[int, List[str]] = {}
# A value of each class whose values decide nothing, and would if somebody changed that class.
_unlikely: Dict[type, Any] = {}


def seal() -> None:
    """Remember how things are now."""
    before = len(_sealed)
    for name, space in _spaces():
        if name not in _sealed:
            _sealed[name] = _Sealed(space)
    if len(_sealed) > before:
        _gather()


def settle() -> None:
    """See that what is other memory now, used or changed, needs no second look as long as it stays so.

    It is for a process in which no candidate has run.
    """
    for number in _gathered[0].changed() if _gathered else ():
        if number < len(_listed):
            _name, sealed = _listed[number]
            _settled[number] = _names(number)
            sealed.read()
    _gather()


def changed() -> List[str]:
    """What is no longer as it was sealed: names, such as ``unittest.case:TestCase.assertEqual``."""
    numbers = {*_gathered[0].changed(), *_unread} if _gathered else set(range(len(_listed)))
    found = [name for number, names in _settled.items() if number not in numbers for name in names]
    for number in sorted(numbers):
        if number < len(_listed):
            found += _names(number)
    if not as_memory.USES_ARE_KNOWN or not _gathered or len(_listed) in numbers:
        kinds = [kind for kind, value in _unlikely.items() if _decides("", value)]
        found += ["%s:%s" % (kind.__module__, kind.__name__) for kind in kinds]
    return found


def _names(number: int) -> List[str]:
    """What is no longer as it was sealed in one module or class."""
    name, sealed = _listed[number]
    # Its memory was read anew when it settled, which says nothing of how it was sealed.
    keys = dict.fromkeys(sealed.changed(number in _settled))
    return ["%s.%s" % (name, key) for key in keys]


def _gather() -> None:
    """Have all that can be read as memory at once; the last group is of the classes of ``_unlikely``."""
    _listed[:] = list(_sealed.items())
    _unread[:] = [number for number, (_name, sealed) in enumerate(_listed) if not sealed.is_read]
    kinds = [place for value in _unlikely.values() for place in as_memory.uses(value)]
    _gathered[:] = [as_memory.Gathered([*(sealed.places for _name, sealed in _listed), kinds])]


class _Sealed:
    """What can be called in a module or class, or is looked up by code of its own, as a property is."""

    def __init__(self, space: Any) -> None:
        self._space = space
        values = self._before = dict(vars(space))
        self._values = {key: value for key, value in values.items() if _decides(key, value)}
        self._watched = [
            _Watched(key, one)
            for key, value in self._values.items()
            for one in (value, *_within(value))
            if type(one) in PARTS
        ]
        if isinstance(space, type):
            others = [value for value in values.values() if not _decides("", value)]
            _unlikely.update((type(one), one) for one in others if type(one).__flags__ & as_memory.HEAP_TYPE)
        self._bases = space.__mro__ if isinstance(space, type) else None
        self.read()

    def read(self) -> None:
        """Read it as memory, as far as that is possible."""
        space = self._space
        self._table = as_memory.table(vars(space))
        self._order = as_memory.bases(space) if self._bases is not None else None
        for one in self._watched:
            one.memory = as_memory.parts(one.one)
        read = [one.memory for one in self._watched]
        self.is_read = None not in [self._table, *read, *([self._order] if self._bases is not None else [])]
        self.places = [place for place in (*read, self._order) if place is not None]
        self.places += self._table.places if self._table is not None else ()

    def changed(self, as_objects: bool = False) -> Iterator[str]:
        """The names; ``as_objects``: without the memory."""
        if as_objects or self._table is None or not self._table.is_same():
            now = vars(self._space)
            yield from (key for key, value in self._values.items() if now.get(key) is not value)
            if isinstance(self._space, type):
                yield from (key for key in now if key not in self._values and _decides(key, now[key]))
            elif self._space is not builtins:  # a new name may hide a built-in one
                yield from (key for key in now if key not in self._before and key in vars(builtins))
        by_memory = not as_objects and self._order is not None and self._order.is_same()
        if self._bases is not None and not by_memory and self._space.__mro__ is not self._bases:
            yield "__bases__"
        yield from sorted({one.name for one in self._watched if one.is_changed(as_objects)})


class _Watched:
    """A function, or one of Python's own decorators around functions, that goes by ``name``."""

    def __init__(self, name: str, one: Any) -> None:
        self.name, self.one = name, one
        self._parts = self._now()
        self.memory: Optional[as_memory.MemoryBytes] = None

    def is_changed(self, as_objects: bool) -> bool:
        if not as_objects and self.memory is not None and self.memory.is_same():
            return False
        return any(now is not before for now, before in zip(self._now(), self._parts))

    def _now(self) -> List[Any]:
        return [getattr(self.one, part, None) for part in PARTS[type(self.one)]]


def hide() -> None:
    """Take the runner's modules out of reach by name; whoever holds them goes on with them."""
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]
    sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__module__ != "regreen_loader"]


def _spaces() -> Iterator[Tuple[str, Any]]:
    for name in DECISIVE:
        module, _, owner = name.partition(":")
        space: Any = sys.modules.get(module)
        space = getattr(space, owner, None) if owner else space
        if space is not None:
            yield name, space
            if not owner:
                yield from _own_classes(module, space)
    for name, module_object in list(sys.modules.items()):
        if name.partition(".")[0] == PACKAGE:
            yield name, module_object
            yield from _own_classes(name, module_object)


def _own_classes(name: str, module: Any) -> Iterator[Tuple[str, Any]]:
    for key, value in list(vars(module).items()):
        if isinstance(value, type) and value.__module__ == name and name != "builtins":
            yield "%s:%s" % (name, key), value


def _decides(key: str, value: Any) -> bool:
    return key not in UPKEEP and (callable(value) or hasattr(type(value), "__get__"))


def _within(value: Any) -> List[Any]:
    """The functions below decorators."""
    if type(value) is FunctionType:
        inner = [getattr(value, "__wrapped__", None)]
    else:
        inner = [getattr(value, part, None) for part in PARTS.get(type(value), ())]
    return [deeper for one in inner if one is not None for deeper in (one, *_within(one))]
