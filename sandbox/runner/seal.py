"""Notices when what tests are made of was changed in this process: pytest, unittest, and the runner itself.

``seal`` is called before any code of the project runs, ``changed`` after its tests. A project may well
change such things itself, so the supervisor objects only to what a candidate changes and the project alone
does not. Code that finds and changes this too gets past it; see docs/verdicts.md.
"""

from __future__ import annotations

import sys
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
State = Tuple[Any, Tuple[Any, ...]]
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
        found += ["%s.%s" % (name, key) for key, state in before.items() if not _same(now.get(key), state)]
        if isinstance(space, type):
            found += ["%s.%s" % (name, key) for key in _states(space) if key not in before]
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
    return {
        key: (value, _codes(value))
        for key, value in vars(space).items()
        if key not in UPKEEP and (callable(value) or hasattr(type(value), "__get__"))
    }


def _same(value: Any, state: State) -> bool:
    return value is state[0] and all(a is b for a, b in zip(_codes(value), state[1]))


def _codes(value: Any) -> Tuple[Any, ...]:
    """The code that runs when ``value`` is used, also below a decorator of Python's own."""
    inner = getattr(value, "fget", None) or getattr(value, "__func__", value)
    return getattr(inner, "__code__", None), getattr(inner, "__defaults__", None)
