"""What the checkout's own files say that a tool runs: Makefile targets and tox environments.

For logs that show the tool and not what it ran. The files come from the commit under repair: what is read
here is run in the sandbox only, as everything is.
"""

from __future__ import annotations

import configparser
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

MAX_FILE = 500_000
_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
_POSARGS = re.compile(r"\{posargs(?::([^{}]*))?\}")
_PYTHON = re.compile(r"\{envpython\}|\{env_python\}|\{envbindir\}/python")
_MAKE_VARIABLE = re.compile(r"\$[({](\w+)[)}]")
_ASSIGNED = re.compile(r"(\w+)\s*[:?]?=\s*(.*)")


def scripts_of(runner: str, words: Sequence[str], files: Mapping[str, bytes], *, folder: str = ".") -> str:
    """The lines that ``words``, a call of the tool ``runner``, run; empty where the files do not say."""
    prefix = "" if folder == "." else f"{folder}/"
    if runner in {"make", "gmake"}:
        return _make([word for word in words[1:] if not word.startswith("-")], files, prefix)
    if runner == "tox":
        return _tox(files, prefix)
    return ""


def _text(files: Mapping[str, bytes], name: str) -> str:
    return files.get(name, b"")[:MAX_FILE].decode("utf-8", "replace")


def _make(targets: Sequence[str], files: Mapping[str, bytes], prefix: str) -> str:
    text = next((text for name in _MAKEFILES if (text := _text(files, prefix + name))), "")
    variables = {"PYTHON": "python", "PYTEST": "pytest"}
    recipes: dict[str, list[str]] = {}
    current: list[str] = []
    for line in text.replace("\\\n", " ").splitlines():
        if line.startswith("\t"):
            current.append(line.strip().lstrip("@-+"))
        elif found := _ASSIGNED.match(line):
            variables[found[1]] = found[2]
        elif ":" in line and not line.startswith((" ", "#", ".")):
            current = []
            for name in line.partition(":")[0].split():
                recipes[name] = current
    wanted = [line for target in targets or list(recipes)[:1] for line in recipes.get(target, ())]
    return "\n".join(_MAKE_VARIABLE.sub(lambda m: variables.get(m[1], m[0]), line) for line in wanted)


def _tox(files: Mapping[str, bytes], prefix: str) -> str:
    return _placeholders(
        _ini(_text(files, f"{prefix}tox.ini"))
        or _ini(_text(files, f"{prefix}setup.cfg"), prefix="tox:")
        or _pyproject(_text(files, f"{prefix}pyproject.toml"))
    )


def _ini(text: str, *, prefix: str = "") -> str:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return ""
    return parser.get(f"{prefix}testenv", "commands", fallback="")


def _pyproject(text: str) -> str:
    try:
        tox: Any = tomllib.loads(text).get("tool", {}).get("tox", {})
    except (ValueError, AttributeError, RecursionError):
        return ""
    if not isinstance(tox, dict):
        return ""
    legacy = tox.get("legacy_tox_ini")
    if isinstance(legacy, str):
        return _ini(legacy)
    base = tox.get("env_run_base")
    commands = base.get("commands") if isinstance(base, dict) else None
    if not isinstance(commands, list):
        return ""
    return "\n".join(" ".join(map(str, words)) for words in commands if isinstance(words, list))


def _placeholders(text: str) -> str:
    """The placeholders of tox as what they usually stand for; what leads a command line is taken off."""
    lines = (line.strip().lstrip("-!") for line in _PYTHON.sub("python", text).splitlines())
    return "\n".join(_POSARGS.sub(lambda m: m[1] or "", line) for line in lines)
