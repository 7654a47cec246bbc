"""Carries the runner into a sandbox as source text, so that no image has to contain it.

The same modules go along as this interpreter compiled them: one of the same version inside need not do that
again, and there each of four processes would.
"""

import marshal
import sys
from functools import cache
from importlib import resources, util
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

from sandbox.machine import UMASK
from sandbox.runner.loader import BOOTSTRAP, FILE_NAME

# Isolated and without ``site``: nothing that came with the environment runs in the supervisor.
SUPERVISOR_ARGUMENTS = ("-I", "-S", "-c", BOOTSTRAP)
MARSHAL_VERSION = 2  # read by every CPython


def bundle(settings: dict[str, Any]) -> bytes:
    """What to write to the bootstrap's standard input: a length and a payload (``sandbox.runner.loader``).

    ``settings`` reach ``sandbox.runner.start.main``: ``root`` (the workspace's path inside), ``temporary``
    (other directories that are the sandbox's own), ``limits`` (by RLIMIT name), ``remove`` (a directory to
    delete at the end, or None), ``confine`` (whether to filter system calls, before the runner is loaded),
    and ``python`` (the interpreter for the project's code where it is not the supervisor's own).
    """
    sources = dict(_texts())
    loader, confine = sources.pop("loader"), sources.pop("confine")
    payload = {
        "bootstrap": BOOTSTRAP,
        "loader": loader,
        "sources": sources,
        "magic": util.MAGIC_NUMBER,
        "codes": _codes(),
        "confine": confine if settings.get("confine") else "",
        "entry": "start",
        "settings": {"umask": UMASK, **settings},
    }
    data = marshal.dumps(payload, MARSHAL_VERSION)
    return b"%08x" % len(data) + data


@cache
def _texts() -> dict[str, str]:
    """The runner's modules and ``confine`` by name: all that is the same for every sandbox; read once."""
    files = [*resources.files("sandbox.runner").iterdir(), resources.files("sandbox") / "confine.py"]
    names = {file.name.removesuffix(".py"): file for file in files if file.name.endswith(".py")}
    return {name: names[name].read_text("utf-8") for name in sorted(names) if name != "__init__"}


@cache
def _codes() -> dict[str, bytes]:
    """The modules compiled, from this installation's cache of bytecode where there is one.

    There are none where asserts are compiled away here: a control test in there is one.
    """
    if sys.flags.optimize:
        return {}
    directory = resources.files("sandbox.runner")
    codes = {}
    for name in sorted(_texts().keys() - {"loader", "confine"}):
        path = directory.joinpath(f"{name}.py")
        full = f"sandbox.runner.{name}"
        # Asked for by name, the loader would be that of whoever rewrites imports in this process.
        code = SourceFileLoader(full, str(path)).get_code(full) if isinstance(path, Path) else None
        if code is not None:
            codes[name] = marshal.dumps(_renamed(code, FILE_NAME % name))
    return codes


def _renamed(code: CodeType, file: str) -> CodeType:
    """``code`` as if compiled from ``file``: nobody inside is to see where on this machine it comes from."""
    inner = (_renamed(part, file) if isinstance(part, CodeType) else part for part in code.co_consts)
    return code.replace(co_filename=file, co_consts=tuple(inner))
