"""What happens in the forked child: pytest, with the reporter as a plugin; and what is loaded ahead of it."""

from __future__ import annotations

import os
import sys
import tempfile
from typing import Any, Dict, List, Optional, Tuple

MODULE_EXCLUDED_PREFIXES = ("regreen_runner", "__main__")
CACHE = "cache_dir=/tmp/.pytest_cache"
PYTEST_ITSELF = frozenset(
    {"pytest", "_pytest", "pluggy", "iniconfig", "packaging", "py", "regreen_runner", "__main__", "os", "sys"}
)


class ChildSettings:
    """How the project's pytest is to be started: as a shell would, with these arguments and variables.

    ``files`` maps the tests seen so far to the files that hold them.
    """

    def __init__(
        self, root: str, arguments: List[str], add_root_to_path: bool, environment: Dict[str, str]
    ) -> None:
        self.root = root
        self.arguments = arguments
        self.add_root_to_path = add_root_to_path
        self.environment = environment
        self.files: Dict[str, str] = {}

    def enter(self) -> None:
        """Make this process look like one that was started in the project's folder."""
        os.chdir(self.root)
        os.environ.update(self.environment)
        # The interpreter reads PYTHONPATH when it starts; this process started long ago, elsewhere.
        extra = [os.path.join(self.root, p) for p in self.environment.get("PYTHONPATH", "").split(":") if p]
        ahead = ([self.root] if self.add_root_to_path else []) + extra
        sys.path[:0] = ahead
        sys.argv = ["pytest"]
        self._forget_installed_copies(ahead)

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


def run_pytest(
    settings: ChildSettings, order: Dict[str, Any], skip: Tuple[str, ...], report_fd: int, token: str
) -> int:
    """Run what ``order`` names and report through ``report_fd``; returns pytest's exit status."""
    import pytest

    from .reporter import Reporter

    settings.enter()

    wanted: Optional[List[str]] = order.get("tests")
    chosen: Optional[List[str]] = None
    if wanted is not None:
        chosen = list(dict.fromkeys(settings.files.get(test, test.split("::")[0]) for test in wanted))
    plugin = Reporter(
        report_fd,
        token,
        settings.root,
        wanted=wanted,
        files=chosen,
        skip=skip,
        trace=bool(order.get("trace")),
        stop_at_first_failure=bool(order.get("stop_at_first_failure")),
        timeout_s=float(order["timeout_s"]),
        timeouts_s=order.get("timeouts_s", {}),
    )
    arguments = [*settings.arguments, "--color=no", "--continue-on-collection-errors", "-o", CACHE]
    if order.get("changes"):
        # Nobody reads a candidate's traceback, and writing it takes longer than many a test.
        arguments.append("--tb=no")
    return int(pytest.main(arguments, plugins=[plugin]))


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
