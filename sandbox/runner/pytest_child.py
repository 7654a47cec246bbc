"""A whole run of pytest in a forked child, with the reporter as a plugin; and its plugins, loaded ahead."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any, Dict, List, Tuple

from .modules import foreign_modules, forget_installed_copies
from .seal import changed, hide, seal
from .wire import Wire

ARGUMENTS = "REGREEN_ARGUMENTS"
CACHE = "cache_dir=%s/.pytest_cache" % os.environ.get("HOME", "/tmp")
# The reporter says why a test failed. pytest's own traceback parses a whole file for each of its entries,
# which takes longer than many a test.
OPTIONS = ("--color=no", "--tb=no", "--continue-on-collection-errors", "-o", CACHE)

# What pytest and its own plugins import only when a run begins.
AT_CONFIGURE = "email.parser", "faulthandler", "pdb"
VERSION = "PYTEST_VERSION"  # where a plugin can see, in later versions, that tests run


class ChildSettings:
    """How the project's program is to be started: as a shell would; ``settings`` are ``prepare``'s."""

    def __init__(self, settings: Dict[str, Any]) -> None:
        self.root: str = settings["root"]
        self.arguments: List[str] = settings["arguments"]
        self.environment: Dict[str, str] = settings["environment"]
        self._directories: List[str] = settings["search_path"]
        self._name_patterns: List[str] = settings.get("name_patterns", [])
        self.forgot = False  # whether some of the project was loaded before

    @property
    def directories(self) -> List[str]:
        """Where the project's modules are found first."""
        # The interpreter reads PYTHONPATH when it starts; this process started long ago, elsewhere.
        names = self._directories + self.environment.get("PYTHONPATH", "").split(":")
        return [os.path.normpath(os.path.join(self.root, name)) for name in names if name]

    def enter(self) -> None:
        """Make this process look like one that was started in the project's directory."""
        os.chdir(self.root)
        os.environ.update(self.environment)
        ahead = self.directories
        # Behind these stays the empty entry of ``python -c``: the project's directory, where modules are
        # found that CI has installed and the sandbox has not, whatever the command.
        sys.path[:0] = ahead
        # A project may ask there whether its tests run.
        sys.argv = os.environ.pop(ARGUMENTS, "").split() or ["pytest"]
        self.forgot = forget_installed_copies(ahead)
        if self._name_patterns:
            import unittest

            # pytest asks a new loader for each class, so only the class covers them all.
            unittest.TestLoader.testNamePatterns = self._name_patterns


def run_pytest(settings: ChildSettings, order: Dict[str, Any], wire: Wire) -> Tuple[int, Dict[str, Any]]:
    """Run what ``order`` names; pytest's exit status, and the foreign ``modules`` that were imported."""
    import pytest

    from .hidden_text import HiddenTexts
    from .reporter import Reporter

    seal()
    hide()
    before = set(sys.modules)
    settings.enter()
    plugin = Reporter(settings.root, order.get("files"))
    plugin.begin(wire, order)
    arguments = [*settings.arguments, *OPTIONS]
    hidden = HiddenTexts(settings.root, order.get("tests") or ())
    status = int(pytest.main(arguments, plugins=[plugin, hidden]))
    return status, {"modules": foreign_modules(before, settings.root), "changed": changed() + plugin.hooks}


def load_plugins(arguments: List[str]) -> None:
    """Let pytest find and load its plugins, as for a run over an empty directory far from the project.

    Of the tests' own ``arguments``, only what keeps a plugin out counts here.

    pytest would rewrite their assertions, and those of all that is installed with them, such as hypothesis.
    Where it may not keep what it compiled, as in an environment that is read only, each run does that anew.
    """
    import tempfile  # not above: what else uses this module has no need of the memory that it takes

    import pytest
    from _pytest import config

    if hasattr(config.Config, "_mark_plugins_for_rewrite"):
        setattr(config.Config, "_mark_plugins_for_rewrite", lambda *_: None)
    before, says_version = os.getcwd(), VERSION in config.main.__code__.co_consts
    if says_version:
        os.environ[VERSION] = pytest.__version__
    with tempfile.TemporaryDirectory() as empty:
        os.chdir(empty)
        try:
            for module in AT_CONFIGURE:
                import_module(module)
            own = ["--rootdir", empty, "-c", os.devnull, "-q", "-o", CACHE, empty]
            config._prepareconfig([*_kept_out(arguments), *own])._ensure_unconfigure()
        except Exception:  # a plugin that cannot be loaded: each run will say so better
            pass
        finally:
            os.chdir(before)
            if says_version:
                os.environ.pop(VERSION, None)


def _kept_out(arguments: List[str]) -> List[str]:
    """The options ``-p no:NAME`` among ``arguments``."""
    pairs = zip(arguments, arguments[1:])
    return [word for pair in pairs if pair[0] == "-p" and pair[1].startswith("no:") for word in pair]
