"""Which Python runs inside, for the providers that use the host's: where it is and what it needs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass

from sandbox.errors import SandboxUnavailable

# What is installed there may print when an interpreter starts or ends: the answer has a line with a mark.
_MARK = "regreen-interpreter: "
_QUESTION = (
    "import sys, os, json; print('\\n" + _MARK + "' + json.dumps([list(sys.version_info[:3]), sys.prefix, "
    "sys.base_prefix, os.path.realpath(sys.executable), [p for p in sys.path if p]]))"
)
_ANSWER = re.compile(rb"^" + _MARK.encode() + rb"(.*)$", re.MULTILINE)
_SYSTEM = ("/usr", "/bin", "/lib", "/sbin", "/lib64")
_TIMEOUT_S = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpreter:
    """``folders`` have to be readable for ``executable`` to work, the system's own apart."""

    executable: str
    version: tuple[int, int, int]
    folders: tuple[str, ...]

    @classmethod
    def of(cls, python: str) -> Interpreter:
        """Ask ``python`` (a path or a command) about itself, in isolated mode and an empty environment.

        Raises:
            SandboxUnavailable: it cannot be started or is no Python.
        """
        path = shutil.which(python)
        if path is None:
            raise SandboxUnavailable(f"no such Python interpreter: {python}")
        executable = os.path.abspath(path)
        try:
            asked = subprocess.run(
                [executable, "-I", "-c", _QUESTION],
                capture_output=True,
                timeout=_TIMEOUT_S,
                check=True,
                env=_environment(),
                cwd="/",
            )
            (answer,) = _ANSWER.findall(asked.stdout)
            version, prefix, base, real, search = json.loads(answer)
        except (OSError, subprocess.SubprocessError, ValueError) as error:
            raise SandboxUnavailable(f"not a working Python interpreter: {executable}") from error
        needed = {prefix, base, os.path.dirname(os.path.dirname(real)), *filter(os.path.isdir, search)}
        needed |= {os.path.dirname(link) for link in _links(executable)}
        folders = sorted(folder for folder in needed if folder != "/" and not _inside(folder, _SYSTEM))
        kept = [f for f in folders if not any(f != other and _inside(f, (other,)) for other in folders)]
        major, minor, micro = version
        return cls(executable=executable, version=(major, minor, micro), folders=tuple(kept))

    def has_module(self, name: str) -> bool:
        """Whether ``import name`` would find something, without importing it."""
        check = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({name!r}) is None)"
        try:
            result = subprocess.run(
                [self.executable, "-I", "-c", check],
                capture_output=True,
                timeout=_TIMEOUT_S,
                check=False,
                env=_environment(),
                cwd="/",
            )
        except (OSError, subprocess.SubprocessError):
            return False
        return result.returncode == 0


def _environment() -> dict[str, str]:
    """All that an interpreter which is asked about itself gets to see of ours."""
    return {"PATH": os.environ.get("PATH", os.defpath)}


def _links(path: str) -> list[str]:
    """``path`` and each link on the way to the file that it names."""
    chain = [path]
    while os.path.islink(chain[-1]) and len(chain) < 40:
        chain.append(os.path.normpath(os.path.join(os.path.dirname(chain[-1]), os.readlink(chain[-1]))))
    return chain


def _inside(folder: str, parents: tuple[str, ...]) -> bool:
    return any(folder == parent or folder.startswith(parent.rstrip("/") + "/") for parent in parents)
