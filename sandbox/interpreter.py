"""Which Python runs inside, for the providers that use the host's: where it is and what it needs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from sandbox.errors import SandboxUnavailable

# What is installed there may print when an interpreter starts or ends: the answer has a line with a mark.
_MARK = "regreen-interpreter: "
_ANSWER = re.compile(rb"^" + _MARK.encode() + rb"(.*)$", re.MULTILINE)
_PLACES = (
    "answer = [list(sys.version_info[:3]), sys.prefix, sys.base_prefix, sys.executable, "
    "os.path.realpath(sys.executable), [p for p in sys.path if p]]"
)
_SYSTEM = ("/usr", "/bin", "/lib", "/sbin", "/lib64")
_TIMEOUT_S = 30
_MAX_LINKS = 40  # as the kernel has it


class Places(NamedTuple):
    """What an interpreter says of itself: its version, where it is installed and what it was made from.

    ``itself`` is its program, which a script may have started, ``real`` the same without links. ``search``
    are the directories that it imports from, and archives.
    """

    version: tuple[int, int, int]
    prefix: str
    base: str
    itself: str
    real: str
    search: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpreter:
    """What has to be there for ``executable`` to work, the system's own apart, and nothing beside that.

    ``directories`` and ``files`` have to be readable; ``links`` are the links on the way to it, each with its
    target. A link's neighbours are none of the interpreter's business: it may lie in a home directory.
    """

    executable: str
    version: tuple[int, int, int]
    directories: tuple[str, ...]
    files: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, python: str) -> Interpreter:
        """Ask ``python`` (a path or a command) about itself, in isolated mode and an empty environment.

        Raises:
            SandboxUnavailable: it cannot be started or is no Python, or all of the home directory would have
                to be readable for it.
        """
        path = shutil.which(python)
        if path is None:
            raise SandboxUnavailable(f"no such Python interpreter: {python}")
        executable = os.path.abspath(path)
        try:
            version, prefix, base, _itself, real, search = places(executable)
        except ValueError as error:
            raise SandboxUnavailable(f"not a working Python interpreter: {executable}") from error
        home = os.path.expanduser("~")
        needed = {prefix, base} - {"/"}
        if any(_inside(home, (directory,)) for directory in needed):
            raise SandboxUnavailable(
                f"{executable} is installed into {prefix}: the sandbox would show all of the home directory; "
                "make a virtual environment below it"
            )
        needed |= {place for place in search if os.path.isdir(place) and not _inside(home, (place,))}
        outside = {place for place in needed if not _inside(place, _SYSTEM)}
        kept = sorted(place for place in outside if not _inside(place, tuple(outside - {place})))
        present = (*kept, *_SYSTEM)
        links, last = _way(executable, present)
        return cls(
            executable=executable,
            version=version,
            directories=tuple(kept),
            files=tuple(path for path in sorted({last, real}) if not _inside(path, present)),
            links=tuple(links.items()),
        )

    def mounts(self) -> list[str]:
        """All of it as arguments of ``bwrap``."""
        argv = [word for path in (*self.directories, *self.files) for word in ("--ro-bind", path, path)]
        return argv + [word for path, target in self.links for word in ("--symlink", target, path)]

    def has_module(self, name: str) -> bool:
        """Whether ``import name`` would find something, without importing it."""
        program = f"from importlib.util import find_spec; answer = [find_spec({name!r}) is not None]"
        try:
            return asked(self.executable, program) == [True]
        except ValueError:
            return False


def places(executable: str) -> Places:
    """What ``executable`` says of itself; it is asked once, until its file or its environment's is another.

    What an installation adds to its search path meanwhile is not seen.

    Raises:
        ValueError: it gives no answer.
    """
    configuration = os.path.join(os.path.dirname(executable), "..", "pyvenv.cfg")
    return _places(executable, (state(executable), state(configuration)))


def state(path: str) -> tuple[int, ...]:
    """What changes when the file at ``path`` does; empty where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


@lru_cache(maxsize=64)
def _places(executable: str, _state: object) -> Places:
    (major, minor, micro), prefix, base, itself, real, search = asked(executable, _PLACES)
    return Places((major, minor, micro), prefix, base, itself or executable, real, tuple(search))


def asked(executable: str, program: str) -> list[Any]:
    """The ``answer`` that ``program`` makes, a list; it has ``os`` and ``sys``.

    It runs in isolated mode, and sees nothing of our environment but where programs are.

    Raises:
        ValueError: there is none.
    """
    source = f"import json, os, sys\n{program}\nprint(chr(10) + {_MARK!r} + json.dumps(answer))"
    try:
        done = subprocess.run(
            [executable, "-I", "-c", source],
            capture_output=True,
            timeout=_TIMEOUT_S,
            check=True,
            env={"PATH": os.environ.get("PATH", os.defpath)},
            cwd="/",
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise ValueError(f"{executable} gives no answer") from error
    (answer,) = _ANSWER.findall(done.stdout)
    found = json.loads(answer)
    if not isinstance(found, list):
        raise ValueError(f"{executable} gives another answer")  # noqa: TRY004 - data
    return found


def _way(path: str, present: tuple[str, ...]) -> tuple[dict[str, str], str]:
    """The links on the way to the file that ``path`` names, by path with their targets, and that file's path.

    Nothing is followed into one of the directories that are ``present``: what lies there is there as it is. A
    directory's link stays out where one of these lies below it, since then the directory itself is made.
    """
    links: dict[str, str] = {}
    walked, rest = "", path.split("/")[1:]
    while rest:
        step = f"{walked}/{rest.pop(0)}"
        if _inside(step, present):
            return links, "/".join((step, *rest))
        if os.path.islink(step) and len(links) < _MAX_LINKS and not any(_inside(p, (step,)) for p in present):
            links[step] = os.readlink(step)
            target = os.path.normpath(os.path.join(walked or "/", links[step]))
            walked, rest = "", [*target.split("/")[1:], *rest]
        else:
            walked = step
    return links, walked


def _inside(directory: str, parents: tuple[str, ...]) -> bool:
    return any(directory == parent or directory.startswith(parent.rstrip("/") + "/") for parent in parents)
