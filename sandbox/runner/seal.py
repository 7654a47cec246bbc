"""Notices when what tests are made of was changed in this process: pytest, unittest, and the runner itself.

``seal`` is called before any code of the project runs, ``changed`` after its tests. A project may well
change such things itself, so the supervisor objects only to what a candidate changes and the project alone
does not. Code that finds and changes this too gets past it; see docs/verdicts.md.
"""

from __future__ import annotations

import sys
from types import FunctionType
from typing import Any, Dict, Iterator, List, Tuple

PACKAGE = "regreen_runner"
# Modules, and classes in them, that decide how a test ends. What a version does not have is left out.
DECISIVE = (
    *("builtins:", "unittest.case:", "unittest.case:TestCase", "unittest.case:_Outcome"),
    *(
        "_pytest.runner:",
        "_pytest.runner:CallInfo",
        "_pytest.reports:BaseReport",
        "_pytest.reports:TestReport",
    ),
    *("_pytest.python:", "_pytest.python:Function", "_pytest.main:", "_pytest.main:Session"),
    *("_pytest.unittest:", "_pytest.unittest:TestCaseFunction"),
    *("_pytest.nodes:Node", "_pytest.nodes:Item", "_pytest._code.code:ExceptionInfo", "_pytest.skipping:"),
    *("pytest:", "_pytest.outcomes:", "_pytest.python_api:", "_pytest.raises:"),
    *("pluggy._callers:", "pluggy._hooks:HookCaller", "pluggy._hooks:_HookCaller", "pluggy._hooks:HookImpl"),
    *("pluggy._manager:PluginManager", "_pytest.config:PytestPluginManager"),
)
# What the interpreter itself keeps in a class.
UPKEEP = frozenset({"__abstractmethods__", "_abc_impl", "__annotations__", "__annotations_cache__"})
State = Tuple[Any, Any, Any, Any]  # a value, its function, and that one's code and defaults
_sealed: Dict[str, Tuple[Any, Dict[str, State]]] = {}


def seal() -> None:
    """Remember how things are now."""
    for name, space in _spaces():
        if name not in _sealed:
            _sealed[name] = space, _states(space)


def changed() -> List[str]:
    """What is no longer as it was sealed: names, such as ``unittest.case:TestCase.assertEqual``."""
    found = []
    for name, (space, before) in _sealed.items():
        now = vars(space)
        for key, (value, function, code, defaults) in before.items():
            is_same = now.get(key) is value
            if is_same and function is not None:
                is_same = function.__code__ is code and function.__defaults__ is defaults
            if not is_same:
                found.append("%s.%s" % (name, key))
        if isinstance(space, type):
            found += ["%s.%s" % (name, key) for key in now if key not in before and _decides(key, now[key])]
    return found


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
    for name, module_object in list(sys.modules.items()):
        if name.partition(".")[0] == PACKAGE:
            yield name, module_object
            for key, value in list(vars(module_object).items()):
                if isinstance(value, type) and value.__module__ == name:
                    yield "%s:%s" % (name, key), value


def _states(space: Any) -> Dict[str, State]:
    """What can be called in there, or is looked up by code of its own, as a property is."""
    return {key: _state(value) for key, value in vars(space).items() if _decides(key, value)}


def _decides(key: str, value: Any) -> bool:
    return key not in UPKEEP and (callable(value) or hasattr(type(value), "__get__"))


def _state(value: Any) -> State:
    """``value``, and the function that runs when it is used, also below a decorator of Python's own.

    It is looked up now: that takes longer than all the comparisons later, of which each run has its own.
    """
    inner = getattr(value, "fget", None) or getattr(value, "__func__", value)
    if type(inner) is not FunctionType:
        return value, None, None, None
    return value, inner, inner.__code__, inner.__defaults__
