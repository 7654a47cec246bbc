"""What a test command means: pytest with options, or a program whose exit status is the verdict."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass

_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_PYTHON = re.compile(r"(?:.*/)?python(?:3(?:\.\d+)?)?$")
_SHELL_SYNTAX = re.compile(r"[;&|<>`$(){}\n]")


@dataclass(frozen=True, slots=True, kw_only=True)
class PytestCommand:
    """pytest's ``arguments``; with ``add_root_to_path`` as ``python -m pytest`` does."""

    arguments: tuple[str, ...] = ()
    add_root_to_path: bool = True
    environment: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ShellCommand:
    """Any other command, given to ``sh -c`` inside the sandbox."""

    text: str


TestCommand = PytestCommand | ShellCommand


def parse(text: str) -> TestCommand:
    """Read a test command as a person writes it.

    Raises:
        ValueError: it is empty, or its quotes do not match.
    """
    if not text.strip():
        raise ValueError("the test command is empty")
    words = shlex.split(text)
    if _SHELL_SYNTAX.search(text):
        return ShellCommand(text=text)
    environment: list[tuple[str, str]] = []
    while words and _ASSIGNMENT.match(words[0]):
        name, _, value = words.pop(0).partition("=")
        environment.append((name, value))
    if not words:
        raise ValueError(f"the test command sets variables and runs nothing: {text}")
    program = words[0].rsplit("/", 1)[-1]
    if program in {"pytest", "py.test"}:
        return PytestCommand(
            arguments=tuple(words[1:]), add_root_to_path=False, environment=tuple(environment)
        )
    if _PYTHON.match(words[0]) and words[1:3] == ["-m", "pytest"]:
        return PytestCommand(arguments=tuple(words[3:]), environment=tuple(environment))
    return ShellCommand(text=text)
