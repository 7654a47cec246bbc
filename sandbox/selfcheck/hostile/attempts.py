"""What the attacks share. It is sent in beside each of their modules."""

from __future__ import annotations

import os
from typing import Any, Callable, List, Tuple

Report = Tuple[List[str], List[str]]
"""What was tried, and what of it got through."""


def allowed(call: Callable[..., Any], *arguments: Any) -> bool:
    """Whether ``call`` does what it shall: a refusal is an OSError."""
    try:
        call(*arguments)
    except OSError:
        return False
    return True


def opened(path: str, flags: int) -> None:
    """Open ``path``, and do nothing with it; with O_CREAT it is a file of the caller's alone."""
    os.close(os.open(path, flags, 0o600))


def content(path: str, count: int = -1) -> bytes:
    """The first ``count`` bytes of a file, or all of it; nothing where it cannot be read."""
    try:
        with open(path, "rb") as handle:
            return handle.read(count)
    except OSError:
        return b""


def in_a_child(call: Callable[[], bool]) -> bool:
    """Whether ``call`` says so, in a process of its own: what it changes there ends with that."""
    pid = os.fork()
    if pid == 0:
        os._exit(0 if call() else 1)
    return os.waitpid(pid, 0)[1] == 0


def processes() -> List[str]:
    """The numbers of the processes that can be seen."""
    return [entry for entry in os.listdir("/proc") if entry.isdigit()]


def status_of(pid: Any) -> List[str]:
    """The fields of proc(5) stat from the state on; empty for a process that is not to be seen."""
    return content("/proc/%s/stat" % pid).decode("utf-8", "replace").rpartition(")")[2].split()
