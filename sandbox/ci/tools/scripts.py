"""Finds the text of a script that a project gives a name: poe, pdm, pipenv, just, taskipy, rye."""

import re
import shlex
from collections.abc import Mapping, Sequence
from itertools import takewhile

from sandbox.ci.commands import inside
from sandbox.formats import texts, toml_table

MAX_DEPTH = 4
"""Scripts within scripts that are followed."""

MAX_LINES = 500
"""Lines of one script, those of the scripts in it among them."""

MAX_TEXT = 20_000
"""Characters of one script."""

# By tool: what it is called in pyproject.toml, and its table there.
_TABLES = {"poe": ("poe", "tasks"), "pdm": ("pdm", "scripts"), "rye": ("rye", "scripts")}
_TABLES["task"] = ("taskipy", "tasks")
MAX_HEAD = 500
"""Characters of a recipe's first line that are looked at."""

_OVERRIDE = re.compile(r"[A-Za-z_][\w-]*=")
_PARAMETER = re.compile(r"([*+]?)\$?([A-Za-z_][\w-]*)(?:=(?:\"([^\"]*)\"|'([^']*)'))?")
_SIGNATURE = r"(?![\w-])((?:[^:\"']|\"[^\"]*\"|'[^']*')*):(?!=)"
_TEMPLATE = re.compile(r"\{\{(.*?)\}\}")
_JUSTFILES = ("justfile", "Justfile", ".justfile")


def named_script(words: Sequence[str], files: Mapping[str, bytes], *, directory: str = ".") -> str:
    """The text of the script that ``words`` run by its name; empty where they run none of the project's."""
    tool, rest = _call(words)
    if not rest:
        return ""
    if tool == "just":
        return _recipe(files, directory, rest)
    if tool == "pipenv":
        held = toml_table(files, inside(directory, "Pipfile"), "scripts").get(rest[0])
        return held[:MAX_TEXT] if isinstance(held, str) else ""
    place = _TABLES.get(tool)
    if place is None:
        return ""
    scripts = toml_table(files, inside(directory, "pyproject.toml"), "tool", *place)
    if tool == "rye":  # a list is a command's words there, and several scripts elsewhere
        scripts = {name: shlex.join(texts(v)) if isinstance(v, list) else v for name, v in scripts.items()}
    lines: list[str] = []
    _collect(scripts.get(rest[0]), scripts, lines, 0)
    return "\n".join(lines)[:MAX_TEXT]


def _call(words: Sequence[str]) -> tuple[str, list[str]]:
    """The tool that looks a name up, and the name with what follows it."""
    tool, rest = words[0], list(words[1:])
    if tool in {"pdm", "poetry", "pipenv", "rye"}:
        is_run = rest[:1] == ["run"]
        rest = rest[1:] if is_run else rest if tool == "pdm" else []
        if tool == "poetry" and rest[:1] == ["poe"]:
            tool, rest = "poe", rest[1:]
    start = next((at for at, word in enumerate(rest) if not word.startswith("-")), len(rest))
    return tool, rest[start:]


def _collect(held: object, scripts: Mapping[str, object], lines: list[str], depth: int) -> None:
    """Add the lines of a script, and of the scripts that it names."""
    if depth > MAX_DEPTH or len(lines) >= MAX_LINES:
        return
    if isinstance(held, str):
        lines.append(held[:MAX_TEXT])
    elif isinstance(held, dict):
        value = held.get("cmd", held.get("shell"))
        if isinstance(value, str | list):
            lines.append(value[:MAX_TEXT] if isinstance(value, str) else shlex.join(texts(value)[:MAX_LINES]))
        else:
            several = held.get("composite") or held.get("sequence") or held.get("chain")
            _collect(several if isinstance(several, list) else None, scripts, lines, depth)
    elif isinstance(held, list):
        for item in held[:MAX_LINES]:
            before = len(lines)
            if isinstance(item, str):
                _collect(scripts.get(item.split(" ", maxsplit=1)[0]), scripts, lines, depth + 1)
                lines += [item[:MAX_TEXT]] if len(lines) == before else []
            elif isinstance(item, dict):
                _collect(item, scripts, lines, depth + 1)


def _recipe(files: Mapping[str, bytes], directory: str, words: Sequence[str]) -> str:
    """The recipe of a justfile that ``words`` name, after variables (``python=3.13``), with its arguments."""
    set_here = list(takewhile(_OVERRIDE.match, words))
    values = dict(word.split("=", 1) for word in set_here)
    name, *arguments = [*words[len(set_here) :], ""]
    data = next((files[at] for one in _JUSTFILES if (at := inside(directory, one)) in files), b"")
    head = re.compile(rf"@?{re.escape(name)}{_SIGNATURE}") if name else None
    found: list[str] = []
    is_inside = False
    for line in data[: 10 * MAX_TEXT].decode("utf-8", "replace").splitlines():
        if head and (begun := head.match(line[:MAX_HEAD])):
            is_inside = True
            values |= _parameters(begun[1], [word for word in arguments if word])
        elif is_inside and line.startswith((" ", "\t")):
            found.append(line.strip().lstrip("@-"))
        elif line.strip() and not line.startswith("#"):
            is_inside = False
    return _TEMPLATE.sub(lambda one: values.get(one[1].strip(), ""), "\n".join(found)[:MAX_TEXT])


def _parameters(signature: str, arguments: Sequence[str]) -> dict[str, str]:
    """What the parameters of a recipe stand for; those that only just could compute stand for nothing."""
    values: dict[str, str] = {}
    given = list(arguments)
    for many, name, first, second in _PARAMETER.findall(signature):
        if many and given:
            values[name], given = shlex.join(given), []
        else:
            values[name] = shlex.quote(given.pop(0)) if given else first or second
    return values
