"""The plugins of pytest that Regreen's own environment has, where a project's tests run in it.

Regreen's dependencies bring some of them, and loading them takes most of the start of pytest. A project that
never names what one of them offers does not need it: its tests run without.
"""

import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from sandbox.command import PytestCommand
from sandbox.resolve import ResolvedCommand

# By the name that pytest knows it by: the words of which one is in a project that uses it.
_WORDS: Mapping[str, tuple[bytes, ...]] = {
    "langsmith_plugin": (b"langsmith",),
    "anyio": (b"anyio",),
    "hypothesispytest": (b"hypothesis",),
    "rerunfailures": (b"rerun", b"flaky"),
    "pytest_cov": (b"cov",),
    "xdist": (b"xdist", b"worker_id", b"testrun_uid", b"-n", b"--dist", b"--tx"),
    "xdist.looponfail": (b"xdist", b"looponfail", b"-f"),
}


def without_unused(
    command: ResolvedCommand, python: str | None, files: Mapping[str, bytes]
) -> ResolvedCommand:
    """``command`` without the plugins that only Regreen needs, where ``python`` is of its own environment.

    ``files`` are the project's, by path.
    """
    if not isinstance(command, PytestCommand) or not _is_own(python):
        return command
    texts = [*files.values(), *map(os.fsencode, (*files, *command.arguments)), *_given(command)]
    unused = [
        name for name, words in _WORDS.items() if not any(word in text for text in texts for word in words)
    ]
    options = [word for name in unused for word in ("-p", f"no:{name}")]
    return replace(command, arguments=(*options, *command.arguments))


def _is_own(python: str | None) -> bool:
    """Whether ``python`` is an interpreter of the environment that Regreen runs in."""
    return python is not None and Path(python).parent == Path(sys.executable).parent


def _given(command: PytestCommand) -> list[bytes]:
    return [os.fsencode(text) for pair in command.launch.environment for text in pair]
