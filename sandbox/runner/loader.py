"""Makes the runner's modules importable from their texts, and starts one of them.

``BOOTSTRAP``, below, is given to ``python -c``; it reads a payload from the descriptor named on the command
line (0 without one) and runs this file's text, which is part of it. A payload is a dictionary in marshal's
version 2, which every CPython reads:

``bootstrap``, ``loader``  these two texts, for the processes that are started inside
``sources``                the texts of the runner's modules, by name
``codes``, ``magic``       the same compiled, by the CPython whose bytecode has that magic number; another
                           one puts its own in their place, so that those who get the payload next have them
``confine``                the text of ``sandbox.confine`` where system calls are to be filtered, or ""
``entry``                  the module whose ``main`` is called with the payload
``settings``               what that needs to know
"""

from __future__ import annotations

import marshal
import sys
from _frozen_importlib_external import MAGIC_NUMBER
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Optional

PACKAGE = "regreen_runner"
FILE_NAME = "<regreen>/%s.py"
BOOTSTRAP = """\
import marshal, os, sys

def read(count, fd=int((sys.argv[1:] or ["0"])[0])):
    data = b""
    while len(data) < count:
        chunk = os.read(fd, count - len(data))
        if not chunk:
            os._exit(3)
        data += chunk
    return data
payload = marshal.loads(read(int(read(8), 16)))
scope = {"__name__": "regreen_loader"}
exec(compile(payload["loader"], "<regreen>/loader.py", "exec"), scope)
scope["load"](payload)
"""


class Finder:
    """Finds the modules of ``PACKAGE``; what is not among ``codes`` is compiled, and put there."""

    def __init__(self, sources: Dict[str, str], codes: Dict[str, bytes]) -> None:
        self._sources, self._codes = sources, codes

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Optional[ModuleSpec]:
        """See ``importlib.abc.MetaPathFinder``."""
        package, _, module = name.rpartition(".")
        if name == PACKAGE:
            return ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]
        if package == PACKAGE and module in self._sources:
            return ModuleSpec(name, self)  # type: ignore[arg-type]
        return None

    def create_module(self, spec: ModuleSpec) -> None:
        """See ``importlib.abc.Loader``."""

    def exec_module(self, module: ModuleType) -> None:
        """See ``importlib.abc.Loader``."""
        name = module.__name__.rpartition(".")[2]
        if module.__name__ != PACKAGE:
            exec(self._code(name), module.__dict__)

    def _code(self, name: str) -> Any:
        if name in self._codes:
            return marshal.loads(self._codes[name])  # noqa: S302 - the host made it, or the supervisor
        code = compile(self._sources[name], FILE_NAME % name, "exec")
        self._codes[name] = marshal.dumps(code)
        return code

    def all_codes(self) -> Dict[str, bytes]:
        """All modules compiled, by their names."""
        for name in self._sources:
            self._code(name)
        return self._codes


def load(payload: Dict[str, Any]) -> None:
    """Filter system calls, if asked, before anything else; then start the entry."""
    if payload["confine"]:
        scope: Dict[str, Any] = {}
        exec(compile(payload["confine"], "<regreen>/confine.py", "exec"), scope)
        scope["confine"]()
    if payload["magic"] != MAGIC_NUMBER:
        payload.update(magic=MAGIC_NUMBER, codes={})
    sys.meta_path.insert(0, Finder(payload["sources"], payload["codes"]))
    import_module("%s.%s" % (PACKAGE, payload["entry"])).main(payload)
