"""Sets up the namespaces of a bubblewrap: limits on what the kernel counts for each user, and addresses.

To the kernel, what is inside belongs to the caller: without the limits, code in a sandbox could take all
inotify instances of the caller's while it runs. A user namespace can have limits of its own (namespaces(7)).
Without the addresses, a look-up with ``AI_ADDRCONFIG`` finds nothing (getaddrinfo(3)): it skips each family
of which the machine has no address but 127.0.0.1 or ::1.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from importlib import resources

from sandbox.errors import SandboxUnavailable

PATIENCE_S = 0.25
"""How long it may take once the sandbox is ready."""


@contextmanager
def set_up(pids: Collection[int]) -> Iterator[None]:
    """Set up the namespaces that one of ``pids`` is about to make, while the context lasts.

    Where the kernel does not let us, the limits are a gap, and the addresses are a difference.

    Raises:
        SandboxUnavailable: the program for it cannot be started.
    """
    program = resources.files("sandbox").joinpath("set_up_namespaces.py").read_text("utf-8")
    try:
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", program, *map(str, pids)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={},
            cwd="/",
        )
    except OSError as error:
        raise SandboxUnavailable(f"cannot start {sys.executable}: {error.strerror}") from error
    try:
        yield
        with suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE_S)
    finally:
        process.kill()
        process.wait()
