"""What stands in ``sys.modules``: where it comes from, what has to go from there, what can be loaded ahead.

Any object may stand there, the project's own among them, and it answers as it likes when it is asked.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import PathFinder
from types import FunctionType, ModuleType
from typing import Any, Dict, List

OURS = ("regreen_runner", "__main__")
PARTS_OF_PYTEST = frozenset({"pytest", "_pytest", "pluggy"})  # what else it imports can be unloaded
PYTEST_ITSELF = PARTS_OF_PYTEST.union(OURS, {"os", "sys"})


def file_of(module: Any) -> str:
    """The file that ``module`` was loaded from, as it says; empty where it does not say."""
    file = asked(module, "__file__")
    return str.__str__(file) if issubclass(type(file), str) else ""


def asked(module: Any, name: str) -> Any:
    """An attribute of what stands in ``sys.modules``; None where it has none, or raises."""
    try:
        return getattr(module, name, None)
    except Exception:  # the object's own code, which may raise anything
        return None


def stands_in(module: Any, kind: type) -> bool:
    """Whether ``module`` has the class ``kind`` where its name says: not one that a function has made."""
    found = module
    for part in kind.__qualname__.split("."):
        found = asked(found, part)
    return found is kind


def forget_installed_copies(directories: List[str]) -> bool:
    """Unload what the project's ``directories`` bring themselves: a plugin may have imported a copy.

    The plugin goes with it: it holds classes of the copy, which are not those that the tests import. Returns
    whether there was any.
    """
    names = {
        name.partition(".")[0]
        for directory in directories
        if os.path.isdir(directory)
        for name in os.listdir(directory)
    }
    kept = PYTEST_ITSELF.union(sys.builtin_module_names)
    loaded = {name.partition(".")[0] for name in list(sys.modules)}
    own = {name for name in names & loaded - kept if _is_brought(name, directories)}
    if not own:
        return False
    own |= _users(own) - kept
    for name in list(sys.modules):
        if name.partition(".")[0] in own:
            del sys.modules[name]
    return True


def brought_parts_of_pytest(directories: List[str], root: str) -> List[str]:
    """The packages that pytest consists of, loaded here, that the project itself is or brings."""
    prefix = os.path.realpath(root) + os.sep
    return sorted(
        name
        for name in PARTS_OF_PYTEST.intersection(sys.modules)
        if os.path.realpath(file_of(sys.modules[name])).startswith(prefix) or _is_brought(name, directories)
    )


def _users(packages: "set[str]") -> "set[str]":
    """The installed packages that hold a module, class or function of ``packages``, or of another user."""
    held: Dict[str, "set[str]"] = {}
    for name, module in list(sys.modules.items()):
        if "site-packages" in file_of(module):
            values = list((asked(module, "__dict__") or {}).values())
            held.setdefault(name.partition(".")[0], set()).update(map(_home, values))
    found = set(packages)
    while True:
        more = {name for name, homes in held.items() if name not in found and homes & found}
        if not more:
            return found
        found |= more


def _home(value: Any) -> str:
    """The package in which a module, class or function was made; empty for anything else."""
    if isinstance(value, ModuleType):
        name = asked(value, "__name__")
    elif isinstance(value, (type, FunctionType)):
        name = asked(value, "__module__")
    else:
        return ""
    return name.partition(".")[0] if isinstance(name, str) else ""


def _is_brought(name: str, directories: List[str]) -> bool:
    """Whether ``import`` would find a module in ``directories``, and not some other file of its name."""
    spec = PathFinder.find_spec(name, directories)
    return spec is not None and spec.loader is not None


def foreign_modules(before: "set[str]", root: str) -> List[str]:
    """Modules that came from outside the project and not through pytest's assertion rewriting."""
    names = []
    rewritten = _rewritten_names()
    prefix = os.path.realpath(root) + os.sep
    for name, module in list(sys.modules.items()):
        file = file_of(module)
        if name in before or not file or asked(module, "__spec__") is None or name.startswith(OURS):
            continue
        if name.split(".")[0] in rewritten:
            continue  # pytest complains of such a module when it finds it imported already
        if not os.path.realpath(file).startswith(prefix):
            names.append(name)
    return names


def _rewritten_names() -> "set[str]":
    """Top-level names of the modules that pytest's import hook rewrites: plugins and their packages."""
    names = set()
    for finder in sys.meta_path:
        if type(finder).__name__ == "AssertionRewritingHook":
            names |= {name.split(".")[0] for name in getattr(finder, "_must_rewrite", ())}
    return names


def import_all(modules: List[str]) -> None:
    """Import ``modules``, as far as they can be."""
    for name in modules:
        if name not in sys.modules:
            try:
                __import__(name)
            except Exception:  # foreign code; each fork will try it again
                pass
