"""Turns the output of a failed build into one readable line: the command, its last words, what to try."""

import re

from sandbox.environment.install import ANSI, COMPILER, OFFLINE
from sandbox.errors import EnvironmentBuildFailed

_NOISE = re.compile(
    r"^(?:-+|\s*|Step \d+/\d+ .*|\s*---> .*|Removing intermediate container .*|warning: .*|"
    r"\s*\[std(?:err|out)\]|hint: Build failures usually .*|"
    r"hint: See above for details\.|note: This error originates .*)$"
)
_ENGINE_SAYS = re.compile(r"^The command '.*' returned a non-zero code: \d+\s*$", re.DOTALL | re.MULTILINE)
_OFFLINE = re.compile(
    rf"{OFFLINE.pattern}|error sending request|Could not connect|Failed to establish a new connection|"
    r"Temporary failure resolving|timed out",
    re.IGNORECASE,
)
_COMPILER = re.compile(
    rf"{COMPILER.pattern}|(?:gcc|g\+\+|cc|clang): (?:command )?not found|"
    r"Python\.h: No such file",
    re.IGNORECASE,
)
KEPT_OUTPUT = 20_000
"""Characters of a build's output that are looked at: its last ones."""

_KEPT_LINES = 6


def build_failed(command: str, output: str, *, reason: str = "") -> EnvironmentBuildFailed:
    """The exception for ``command``, which ended badly with ``output``."""
    text = ANSI.sub("", output)[-KEPT_OUTPUT:]
    words = reason or " | ".join(last_words(text)) or "it said nothing"
    line = " ".join(command.split())
    shown = line if len(line) <= 200 else f"{line[:200]}…"
    return EnvironmentBuildFailed(
        f"the project's environment cannot be built: {shown} failed: {words}. {advice(text)}",
        command=command,
        output=text,
    )


def last_words(text: str) -> list[str]:
    """The last meaningful lines."""
    lines = [line.strip() for line in _ENGINE_SAYS.sub("", text).splitlines() if not _NOISE.match(line)]
    return [line[:300] for line in lines[-_KEPT_LINES:]]


def advice(text: str) -> str:
    """What to try, as far as the output shows it."""
    if _OFFLINE.search(text):
        return (
            "The build has no network, or its package index does not answer: run it once where it has, "
            "or name what holds everything already: sandbox-image for docker, else sandbox-python"
        )
    if needs_compiler(text):
        return "It needs a compiler or headers: install them in a setup-command, or name a sandbox-image"
    return "Say how to install it with a setup-command, or name a sandbox-image that holds everything"


def needs_compiler(text: str) -> bool:
    """Whether the output complains of a missing compiler or of missing headers."""
    return _COMPILER.search(text) is not None
