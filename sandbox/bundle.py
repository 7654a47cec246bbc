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

_LOADER = """\
import json, sys, types
package = types.ModuleType({package!r})
package.__path__ = []
sys.modules[{package!r}] = package
for name, source in json.loads({sources!r}):
    if name == "reporter":
        class _Lazy:  # imports pytest: loaded on demand, when the project's path is set
            code = source
            @classmethod
            def find_spec(cls, fullname, path=None, target=None):
                if fullname != {package!r} + ".reporter":
                    return None
                from importlib.machinery import ModuleSpec
                return ModuleSpec(fullname, cls)
            @staticmethod
            def create_module(spec):
                return None
            @classmethod
            def exec_module(cls, module):
                exec(compile(cls.code, "<regreen>/reporter.py", "exec"), module.__dict__)
        sys.meta_path.insert(0, _Lazy)
        continue
    module = types.ModuleType({package!r} + "." + name)
    module.__package__ = {package!r}
    sys.modules[module.__name__] = module
    setattr(package, name, module)
    exec(compile(source, "<regreen>/" + name + ".py", "exec"), module.__dict__)
sys.modules[{package!r} + ".server"].main(json.loads({settings!r}))
"""


@cache
def _sources() -> str:
    folder = resources.files("sandbox.runner")
    return json.dumps([(name, folder.joinpath(f"{name}.py").read_text("utf-8")) for name in MODULES])


def bundle(settings: dict[str, Any]) -> bytes:
    """What to write to the bootstrap's standard input: a length, then the program.

    ``settings`` reach ``sandbox.runner.server.main``: ``root`` (the workspace's path inside),
    ``limits`` (by RLIMIT name), and ``remove`` (a folder to delete at the end, or None).
    """
    program = _LOADER.format(package=PACKAGE, sources=_sources(), settings=json.dumps(settings))
    data = program.encode()
    return b"%08x" % len(data) + data
