"""Where a coding agent is installed: what has to be readable for it to run, and no more of the home."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from bot.errors import ConfigurationError
from sandbox.errors import SandboxUnavailable
from sandbox.interpreter import Interpreter, asked

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64")
MAX_FIRST_LINE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """A program: its ``path`` without links, the ``places`` that it needs, directories to find others in."""

    path: str
    places: tuple[str, ...]
    search: tuple[str, ...]


def find(command: str, *, install: str = "") -> Installed:
    """Where ``command`` is.

    Raises:
        ConfigurationError: it is not installed, or a repository would have to be shown for it.
    """
    found = shutil.which(command)
    if found is None:
        advice = f": {install}" if install else "; give its path, or install it"
        raise ConfigurationError(f"the agent {command} is not installed{advice}")
    path = str(Path(found).resolve())
    places, search = [_place(path)], [str(Path(path).parent)]
    interpreter = _interpreter(path)
    if interpreter:
        python = _python(interpreter)
        places += python.places if python else [_place(str(Path(interpreter).resolve()))]
        search.append(str(Path(python.path if python else interpreter).parent))
    home = Path.home().resolve()
    for place in map(Path, places):
        if home.is_relative_to(place) or (place / ".git").exists():
            raise ConfigurationError(
                f"the agent {command} lies in {place}: it would see all of that; install it into an "
                "environment of its own, such as with 'uv tool install' or pipx"
            )
    kept = [place for place in places if not any(map(Path(place).is_relative_to, SYSTEM))]
    return Installed(path=path, places=tuple(dict.fromkeys(kept)), search=tuple(dict.fromkeys(search)))


def _place(path: str) -> str:
    """What a program needs beside its interpreter: its environment, the packages of Node, or its own file."""
    parts = Path(path).parts
    if "node_modules" in parts:
        at = len(parts) - 1 - parts[::-1].index("node_modules")
        return str(Path(*parts[: at + 1]))
    environment = Path(path).parent.parent
    return str(environment) if (environment / "pyvenv.cfg").is_file() else path


def _interpreter(path: str) -> str:
    """What the first line of a script names; empty for a program of its own."""
    try:
        with Path(path).open("rb") as file:
            first = file.read(MAX_FIRST_LINE).split(b"\n", 1)[0]
    except OSError:
        return ""
    words = first.removeprefix(b"#!").decode("utf-8", "replace").split() if first.startswith(b"#!") else []
    if words and Path(words[0]).name == "env":
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
        return shutil.which(words[0]) or "" if words else ""
    return words[0] if words else ""


def _python(interpreter: str) -> Installed | None:
    """What a Python needs; None for other interpreters. It may be started by a script that chooses one."""
    if not Path(interpreter).name.startswith("python"):
        return None
    try:
        (path,) = asked(interpreter, "answer = [sys.executable]")
        needed = Interpreter.of(str(path))
    except (ValueError, SandboxUnavailable):
        return None
    return Installed(path=str(path), places=(*needed.directories, *needed.files), search=())
