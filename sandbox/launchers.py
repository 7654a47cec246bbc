"""Tools that start a program in a project's environment: ``uv run pytest`` runs pytest.

Which environment it is, Regreen finds out by itself; so the tool is taken off, with its options, and what it
starts is what the tests are run by. Scripts that a project gives names of its own are not looked up here.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import dropwhile


@cache
def tool_options(kind: str) -> Mapping[str, frozenset[str]]:
    """The options of each tool by its name, in the table ``kind`` of ``tool_options.toml``."""
    text = resources.files("sandbox").joinpath("tool_options.toml").read_text("utf-8")
    return {tool: frozenset(options) for tool, options in tomllib.loads(text)[kind].items()}


_ALIASES = {"uvx": "uv", "mamba": "conda", "micromamba": "conda"}
# ``pytest@8.1`` and ``pytest==8.1`` are pytest of a certain version.
_VERSION = re.compile(r"[@=<>~!\[ ].*", re.DOTALL)


def launched(words: Sequence[str]) -> list[str] | None:
    """The command that the tool at the head of ``words`` starts; None where that is no such tool.

    What it is given to run in another way (``uv run -m``, ``uv run check.py``) is said as Python says it.
    """
    if not words:
        return None
    tool = words[0].replace("\\", "/").rpartition("/")[2].removesuffix(".exe")
    valued = tool_options("launchers").get(_ALIASES.get(tool, tool))
    if valued is None:
        return None
    rest = list(words[1:]) if tool == "uvx" else after_options(words[1:], valued)
    if tool == "hatch" and rest[:1] == ["test"]:
        return ["pytest", *rest[1:]]
    if tool == "uvx" or (tool == "uv" and rest[:2] == ["tool", "run"]):
        return _without_version(after_options(rest if tool == "uvx" else rest[2:], valued))
    if rest[:1] != ["run"]:
        return None
    program = after_options(rest[1:], valued)
    if tool == "uv":
        return _as_python(rest[1 : len(rest) - len(program)], program)
    if tool == "hatch":
        # Without the environment's name, and what chooses among the environment's kinds.
        named = list(dropwhile(lambda word: word.startswith("+"), program))
        return [named[0].rpartition(":")[2], *named[1:]] if named else []
    return _without_version(program) if tool == "pipx" else program


def after_options(words: Sequence[str], valued: frozenset[str]) -> list[str]:
    """``words`` without the options at their head; those among ``valued`` take the next word with them."""
    start = 0
    while start < len(words) and words[start].startswith("-") and words[start] != "--":
        start += 2 if words[start] in valued else 1
    return list(words[start + (words[start : start + 1] == ["--"]) :])


def _without_version(program: list[str]) -> list[str]:
    return [_VERSION.sub("", program[0]), *program[1:]] if program else []


def _as_python(options: Sequence[str], program: list[str]) -> list[str]:
    """What ``uv run`` with ``options`` makes of ``program``: a module, a script, or a program."""
    if program and not {"-m", "--module"}.isdisjoint(options):
        return ["python", "-m", *program]
    is_script = program and program[0].endswith(".py")
    return ["python", *program] if is_script else program
