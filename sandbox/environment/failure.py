"""Turns the output of a failed build into one readable line: the command, its last words, what to try."""

import re

from sandbox.errors import EnvironmentBuildFailed

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_NOISE = re.compile(
    r"^(?:-+|\s*|Step \d+/\d+ .*|\s*---> .*|Removing intermediate container .*|warning: .*|"
    r"\s*\[std(?:err|out)\]|hint: Build failures usually .*|"
    r"hint: See above for details\.|note: This error originates .*)$"
)
_ENGINE_SAYS = re.compile(r"^The command '.*' returned a non-zero code: \d+\s*$", re.DOTALL | re.MULTILINE)
_OFFLINE = re.compile(
    r"name resolution|dns error|Name or service not known|Network is unreachable|Connection refused|"
    r"error sending request|Failed to connect|Could not connect|No route to host|"
    r"client error \(Connect\)|"
    r"Failed to establish a new connection|Temporary failure resolving|timed out|"
    r"Network connectivity is disabled",
    re.IGNORECASE,
)
_COMPILER = re.compile(
    r"(?:command '?(?:[\w-]+-)?(?:gcc|g\+\+|cc|c\+\+|clang)'? failed|unable to execute '?[\w-]*(?:gcc|cc)|"
    r"No such file or directory: '[\w-]*(?:gcc|g\+\+|cc|c\+\+|clang)'|"
    r"(?:gcc|g\+\+|cc|clang): (?:command )?not found|Unknown compiler|Python\.h: No such file|"
    r"No CMAKE_C(?:XX)?_COMPILER)",
    re.IGNORECASE,
)
KEPT_OUTPUT = 20_000
"""Characters of a build's output that are looked at: its last ones."""

_KEPT_LINES = 6


def build_failed(command: str, output: str, *, reason: str = "") -> EnvironmentBuildFailed:
    """The exception for ``command``, which ended badly with ``output``."""
    text = _ANSI.sub("", output)[-KEPT_OUTPUT:]
    words = reason or " | ".join(last_words(text)) or "it said nothing"
    return EnvironmentBuildFailed(
        f"the project's environment cannot be built: {_shortened(command)} failed: {words}. {advice(text)}",
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


def _shortened(command: str) -> str:
    line = " ".join(command.split())
    return line if len(line) <= 200 else f"{line[:200]}…"
