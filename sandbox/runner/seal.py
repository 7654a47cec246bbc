"""Notices when what tests are made of was changed in this process: pytest, unittest, and the runner itself.

``seal`` is called before any code of the project runs, ``changed`` after its tests. A project may well
change such things itself, so the supervisor objects only to what a candidate changes and the project alone
does not. Code that finds and changes this too gets past it; see docs/verdicts.md.
"""

from __future__ import annotations

import builtins
import sys
from types import FunctionType
from typing import Any, Dict, Iterator, List, Tuple

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
# A value of each class whose values decide nothing, and would if somebody changed that class.
_unlikely: Dict[type, Any] = {}


def seal() -> None:
    """Remember how things are now."""
    for name, space in _spaces():
        if name not in _sealed:
            _sealed[name] = _Sealed(space)


def changed() -> List[str]:
    """What is no longer as it was sealed: names, such as ``unittest.case:TestCase.assertEqual``."""
    found = ["%s.%s" % (name, key) for name, sealed in _sealed.items() for key in sealed.changed()]
    kinds = [kind for kind, value in _unlikely.items() if _decides("", value)]
    return found + ["%s:%s" % (kind.__module__, kind.__name__) for kind in kinds]


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
        self._table = as_memory.table(vars(space))
        self._bases = space.__mro__ if isinstance(space, type) else None
        self._order = as_memory.bases(space) if isinstance(space, type) else None

    def changed(self) -> Iterator[str]:
        if self._table is None or not self._table.is_same():
            now = vars(self._space)
            yield from (key for key, value in self._values.items() if now.get(key) is not value)
            if isinstance(self._space, type):
                yield from (key for key in now if key not in self._values and _decides(key, now[key]))
            elif self._space is not builtins:  # a new name may hide a built-in one
                yield from (key for key in now if key not in self._before and key in vars(builtins))
        is_same = self._bases is None or (self._order is not None and self._order.is_same())
        if not is_same and self._space.__mro__ is not self._bases:
            yield "__bases__"
        yield from sorted({one.name for one in self._watched if one.is_changed()})


class _Watched:
    """A function, or one of Python's own decorators around functions, that goes by ``name``."""

    def __init__(self, name: str, one: Any) -> None:
        self.name, self._one = name, one
        self._parts, self._memory = self._now(), as_memory.parts(one)

    def is_changed(self) -> bool:
        if self._memory is not None and self._memory.is_same():
            return False
        return any(now is not before for now, before in zip(self._now(), self._parts))

    def _now(self) -> List[Any]:
        return [getattr(self._one, part, None) for part in PARTS[type(self._one)]]


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
