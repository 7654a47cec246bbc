"""Gives a sandbox that root starts device nodes which nobody inside can change.

bubblewrap shows a sandbox the machine's own nodes. To the kernel, root inside is root outside and owns them:
it could change their mode, owner and times. A node on a read-only mount can be used, and not be changed.
bubblewrap makes mounts read-only together with ``nodev`` only, so these are read-only before it starts.
"""

import ctypes
import errno
import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from sandbox.errors import SandboxUnavailable

NODES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty")
CLONE_NEWNS = 0x00020000
MS_RDONLY, MS_REMOUNT, MS_BIND, MS_REC, MS_SLAVE = 1, 32, 4096, 16384, 1 << 19
KEPT_FLAGS = os.ST_NOSUID | os.ST_NODEV | os.ST_NOEXEC  # statvfs and mount number them alike


def protect_nodes() -> bool:
    """Let this thread, and what it starts from now on, see the nodes on read-only mounts.

    The thread gets mounts of its own, for the rest of its life. False where root may not make any: there is
    a gap. A user to whom the nodes do not belong needs nothing of this.

    Raises:
        SandboxUnavailable: a node cannot be mounted so.
    """
    if os.geteuid() != 0:
        return True
    libc = ctypes.CDLL(None, use_errno=True)

    def mount(source: bytes | None, target: str, flags: int) -> None:
        if libc.mount(source, target.encode(), None, flags, None) != 0:
            raise SandboxUnavailable(f"cannot mount {target} read-only: {os.strerror(ctypes.get_errno())}")

    if libc.unshare(CLONE_NEWNS) != 0:
        if ctypes.get_errno() in {errno.EPERM, errno.EACCES, errno.ENOSYS}:
            return False
        raise SandboxUnavailable(f"no mounts of its own: {os.strerror(ctypes.get_errno())}")
    mount(b"none", "/", MS_REC | MS_SLAVE)  # nothing of it reaches the machine's own mounts
    for node in filter(os.path.exists, NODES):
        flags = os.statvfs(node).f_flag & KEPT_FLAGS
        mount(node.encode(), node, MS_BIND)
        mount(None, node, MS_REMOUNT | MS_BIND | MS_RDONLY | flags)
    return True


@cache
def can_protect_nodes() -> bool:
    """Whether ``protect_nodes`` has an effect here; tried once, in a thread of its own."""
    with ThreadPoolExecutor(1) as thread:
        try:
            return thread.submit(protect_nodes).result()
        except SandboxUnavailable:
            return False
