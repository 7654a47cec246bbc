"""Expands a call of make into the recipes of its targets, as far as they are written out."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sandbox.ci.commands import inside
from sandbox.launchers import tool_options

MAX_FILE = 200_000
"""Bytes of a file that are read."""

MAX_LINES = 500
"""Lines of the recipes that one call runs."""

MAX_LINE = 5_000
"""Characters of a line with its variables replaced."""

MAX_REFERENCES = 5
"""Variables within variables that are followed."""

MAX_NEEDED = 20_000
"""Prerequisites that are looked at."""

_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
_REFERENCE = re.compile(r"\$(?:\((\w+)\)|\{(\w+)\})")
_ASSIGNED = re.compile(r"(?:export\s+)?(\w+)\s*(:?:?=|\?=|\+=)\s*(.*)")
_CONTINUED = re.compile(r"\\\r?\n[ \t]*")
_TOOLS = {
    "PYTHON": "python",
    "PYTHON3": "python",
    "PIP": "pip",
    "PYTEST": "pytest",
    "MAKE": "make",
    "UV": "uv",
    "CURDIR": ".",
}


@dataclass(slots=True)
class _Rule:
    """A target's prerequisites and recipe, in the blocks that several targets may share."""

    needed: list[list[str]] = field(default_factory=list)
    recipe: list[list[str]] = field(default_factory=list)


def script_of(
    words: Sequence[str],
    files: Mapping[str, bytes],
    *,
    directory: str = ".",
    variables: Mapping[str, str] | None = None,
) -> str:
    """The script that ``words``, a call of make in ``directory``, run; empty where no file says.

    Prerequisites come before the recipe of their target, and each line is a shell of its own. ``variables``
    are those of the environment. Functions of make stay as they are written; what is not set is empty.
    """
    targets, options, given = _arguments(words)
    moved = options.get("-C") or options.get("--directory") or ""
    place = inside(directory, moved)
    named = options.get("-f") or options.get("--file") or options.get("--makefile") or ""
    paths = [inside(place, name) for name in ([named] if named else _MAKEFILES)]
    data = next((files[path] for path in paths if path in files), b"")
    rules, own = _read(data[:MAX_FILE].decode("utf-8", "replace"), variables or {})
    known = {**own, **given}
    first = next((name for name in rules if not name.startswith(".")), "")
    lines = _recipe(targets or [first], rules)
    shells = [f"({line})" for line in (_resolved(line, known) for line in lines) if line]
    return "\n".join([f"cd {moved}", *shells] if moved and shells else shells)


def _arguments(words: Sequence[str]) -> tuple[list[str], dict[str, str], dict[str, str]]:
    """The targets, the options with a value, and the variables of a call."""
    targets: list[str] = []
    options: dict[str, str] = {}
    given: dict[str, str] = {}
    valued = tool_options("tools")["make"]
    waiting = ""
    for word in words[1:]:
        name, equals, value = word.partition("=")
        if waiting:
            # ``-j`` may stand without a number.
            options[waiting] = word
            if waiting == "-j" and not word.isdigit():
                targets.append(word)
            waiting = ""
        elif word.startswith("-"):
            waiting = name if name in valued and not equals else ""
            options[name] = value
        elif equals:
            given[name] = value
        else:
            targets.append(word)
    return targets, options, given


def _read(text: str, environment: Mapping[str, str]) -> tuple[dict[str, _Rule], dict[str, str]]:
    """The rules by target, and the variables, those of the environment among them."""
    rules: dict[str, _Rule] = {}
    variables = {**_TOOLS, **environment}
    current: list[str] = []
    for line in _CONTINUED.sub(" ", text).splitlines():
        if line.startswith("\t"):
            current.append(_command(line))
        elif found := _ASSIGNED.match(line):
            if found[2] == "?=" and found[1] in environment:
                continue
            value = found[3].split(" #", maxsplit=1)[0].strip()
            before = variables.get(found[1], "") if found[2] == "+=" else ""
            variables[found[1]] = f"{before} {value}".strip()[:MAX_LINE]
        elif ":" in line and not line.startswith((" ", "#")):
            names, _, rest = line.partition(":")
            before, _, same_line = rest.lstrip(":").partition(";")
            needed = before.partition("#")[0].replace("|", " ").split()
            current = [_command(same_line)] if same_line.strip() else []
            for name in names.split():
                rule = rules.setdefault(name, _Rule())
                rule.needed.append(needed)
                rule.recipe.append(current)
    return rules, variables


def _command(line: str) -> str:
    """A line of a recipe without what only make reads."""
    return line.strip().lstrip("@-+ ")


def _recipe(targets: Sequence[str], rules: Mapping[str, _Rule]) -> list[str]:
    """The lines that making ``targets`` runs, each target once."""
    lines: list[str] = []
    waiting = [(target, False) for target in reversed(targets)]
    seen: set[str] = set()
    left = MAX_NEEDED
    while waiting and len(lines) < MAX_LINES:
        name, ready = waiting.pop()
        rule = rules.get(name)
        if rule is None:
            continue
        if ready:
            lines += [line for block in rule.recipe for line in block]
        elif name not in seen:
            seen.add(name)
            needed = [one for block in rule.needed for one in block[: max(0, left)]]
            left -= len(needed)
            waiting.append((name, True))
            waiting += [(one, False) for one in reversed(needed)]
    return lines[:MAX_LINES]


def _resolved(line: str, variables: Mapping[str, str]) -> str:
    """``line`` with its variables replaced; empty where it grows too long."""
    for _ in range(MAX_REFERENCES):
        parts: list[str] = []
        size, at = 0, 0
        for found in _REFERENCE.finditer(line):
            parts += [line[at : found.start()], variables.get(found[1] or found[2], "")]
            at = found.end()
            size += len(parts[-2]) + len(parts[-1])
            if size > MAX_LINE:
                return ""
        if not parts:
            break
        line = "".join([*parts, line[at:]])
    return line.replace("$$", "$")[:MAX_LINE]
