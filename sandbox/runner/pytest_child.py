"""A whole run of pytest in a forked child, with the reporter as a plugin; and what is loaded ahead of it."""

from __future__ import annotations

import os
import sys
from typing import Any, Dict, List, Tuple

from .seal import changed, hide, seal
from .wire import Wire

MODULE_EXCLUDED_PREFIXES = ("regreen_runner", "__main__")
CACHE = "cache_dir=%s/.pytest_cache" % os.environ.get("HOME", "/tmp")
OPTIONS = ("--color=no", "--continue-on-collection-errors", "-o", CACHE)
PYTEST_ITSELF = frozenset(
    {"pytest", "_pytest", "pluggy", "iniconfig", "packaging", "py", "regreen_runner", "__main__", "os", "sys"}
)


class ChildSettings:
    """How the project's program is to be started: as a shell would; ``settings`` are ``prepare``'s."""

    def __init__(self, settings: Dict[str, Any]) -> None:
        self.root: str = settings["root"]
        self.arguments: List[str] = settings["arguments"]
        self.environment: Dict[str, str] = settings["environment"]
        self._folders: List[str] = settings["search_path"]
        self._name_patterns: List[str] = settings.get("name_patterns", [])

    def enter(self) -> None:
        """Make this process look like one that was started in the project's folder."""
        os.chdir(self.root)
        os.environ.update(self.environment)
        # The interpreter reads PYTHONPATH when it starts; this process started long ago, elsewhere.
        folders = self._folders + self.environment.get("PYTHONPATH", "").split(":")
        ahead = [os.path.normpath(os.path.join(self.root, folder)) for folder in folders if folder]
        sys.path[:0] = ahead
        sys.argv = ["pytest"]
        self._forget_installed_copies(ahead)
        if self._name_patterns:
            import unittest

            # pytest asks a new loader for each class, so only the class can tell them all.
            unittest.TestLoader.testNamePatterns = self._name_patterns

    @staticmethod
    def _forget_installed_copies(folders: List[str]) -> None:
        """Unload what the project brings itself: a plugin may have imported an installed copy of it."""
        own = {
            os.path.splitext(name)[0]
            for folder in folders
            if os.path.isdir(folder)
            for name in os.listdir(folder)
        }
        for name in list(sys.modules):
            top = name.split(".")[0]
            if top in own and top not in PYTEST_ITSELF and top not in sys.builtin_module_names:
                del sys.modules[name]


def run_pytest(settings: ChildSettings, order: Dict[str, Any], wire: Wire) -> Tuple[int, Dict[str, Any]]:
    """Run what ``order`` names; pytest's exit status, and the foreign ``modules`` that were imported."""
    import pytest

    from .reporter import Reporter

    seal()
    hide()
    before = set(sys.modules)
    settings.enter()
    plugin = Reporter(settings.root, order.get("files"))
    plugin.begin(wire, order)
    arguments = [*settings.arguments, *OPTIONS]
    if order.get("changes"):
        # Nobody reads a candidate's traceback, and writing it takes longer than many a test.
        arguments.append("--tb=no")
    status = int(pytest.main(arguments, plugins=[plugin]))
    return status, {"modules": foreign_modules(before, settings.root), "changed": changed() + plugin.hooks}


def foreign_modules(before: "set[str]", root: str) -> List[str]:
    """Modules that came from outside the project and not through pytest's assertion rewriting."""
    names = []
    rewritten = _rewritten_names()
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        spec = getattr(module, "__spec__", None)
        if name in before or not file or spec is None or name.startswith(MODULE_EXCLUDED_PREFIXES):
            continue
        if name.split(".")[0] in rewritten:
            continue  # pytest complains of such a module when it finds it imported already
        if not os.path.realpath(file).startswith(os.path.realpath(root) + os.sep):
            names.append(name)
    return names


def _rewritten_names() -> "set[str]":
    """Top-level names of the modules that pytest's import hook rewrites: plugins and their packages."""
    names = set()
    for finder in sys.meta_path:
        if type(finder).__name__ == "AssertionRewritingHook":
            names |= {name.split(".")[0] for name in getattr(finder, "_must_rewrite", ())}
    return names


def load_plugins() -> None:
    """Let pytest find and load its plugins, by a run over an empty folder far from the project."""
    import tempfile  # not above: what else uses this module has no need of the memory that it takes

    import pytest

    before = os.getcwd()
    with tempfile.TemporaryDirectory() as empty:
        os.chdir(empty)
        try:
            pytest.main(["--rootdir", empty, "-c", os.devnull, "-q", "-o", CACHE, empty])
        except Exception:  # a plugin that cannot be loaded: each run will say so better
            pass
        finally:
            os.chdir(before)


def import_all(modules: List[str]) -> None:
    """Import ``modules``, as far as they can be."""
    for name in modules:
        if name not in sys.modules:
            try:
                __import__(name)
            except Exception:  # foreign code; each fork will try it again
                pass
