"""Carries the runner into a sandbox as source text, so that no image has to contain it."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

from sandbox.runner import MODULES

PACKAGE = "regreen_runner"

# Reads its own source from descriptor 0 without buffering, since the messages follow on it.
BOOTSTRAP = """\
import os
def read(count):
    data = b""
    while len(data) < count:
        chunk = os.read(0, count - len(data))
        if not chunk:
            os._exit(3)
        data += chunk
    return data
exec(compile(read(int(read(8), 16)), "<regreen>", "exec"))
"""

# Loads each module of the runner when it is first imported: some need pytest, which the supervisor never
# imports, and most of the rest is needed only after the first answer.
_LOADER = """\
import sys, types
if settings.get("confine"):
    confinement = {{}}
    exec(compile({confine!r}, "<regreen>/confine.py", "exec"), confinement)
    confinement["confine"]()
from importlib.machinery import ModuleSpec
class Finder:
    sources = dict(json.loads({sources!r}))
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name == {package!r}:
            return ModuleSpec(name, cls, is_package=True)
        package, _, module = name.rpartition(".")
        return ModuleSpec(name, cls) if package == {package!r} and module in cls.sources else None
    @staticmethod
    def create_module(spec):
        return None
    @classmethod
    def exec_module(cls, module):
        name = module.__name__.rpartition(".")[2]
        if module.__name__ != {package!r}:
            exec(compile(cls.sources[name], "<regreen>/" + name + ".py", "exec"), module.__dict__)
sys.meta_path.insert(0, Finder)
from {package} import server
server.main(settings)
"""


def bundle(settings: dict[str, Any]) -> bytes:
    """What to write to the bootstrap's standard input: a length, then the program.

    ``settings`` reach ``sandbox.runner.server.main``: ``root`` (the workspace's path inside),
    ``limits`` (by RLIMIT name), ``remove`` (a folder to delete at the end, or None), and ``confine``
    (whether to filter system calls, before the runner is loaded).
    """
    data = f"import json\nsettings = json.loads({json.dumps(settings)!r})\n".encode() + _program()
    return b"%08x" % len(data) + data


@cache
def _program() -> bytes:
    """All that is the same for every sandbox; put together once."""
    runner = resources.files("sandbox.runner")
    sources = [(name, runner.joinpath(f"{name}.py").read_text("utf-8")) for name in MODULES]
    confine = resources.files("sandbox").joinpath("confine.py").read_text("utf-8")
    return _LOADER.format(package=PACKAGE, sources=json.dumps(sources), confine=confine).encode()
