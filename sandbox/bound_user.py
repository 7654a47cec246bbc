"""Gives a user namespace limits of its own on what the kernel counts for each user. Run by the host.

Its arguments are processes, of which one, or a child, makes the namespace. It is a program of its own: a
process with threads cannot enter a namespace.
"""

from __future__ import annotations

import ctypes
import os
import sys
import time

# Importing typing takes longer than the rest of this: it is for those who check the types.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

CLONE_NEWUSER = 0x10000000
TIMEOUT_S = 5.0
SHARE = 8
"""So many sandboxes together may use all that the caller has."""

# Limits of the namespace, by those of each user of the machine.
COUNTS = {
    "user/max_inotify_instances": "fs/inotify/max_user_instances",
    "user/max_inotify_watches": "fs/inotify/max_user_watches",
    "user/max_fanotify_groups": "fs/fanotify/max_user_groups",
    "user/max_fanotify_marks": "fs/fanotify/max_user_marks",
}


def main(pids: list[int]) -> int:
    """Wait for the namespace, enter it, and set the limits; 0 where that is done."""
    libc = ctypes.CDLL(None, use_errno=True)
    wanted = {name: max(1, _number(other) // SHARE) for name, other in COUNTS.items() if _number(other)}
    deadline = time.monotonic() + TIMEOUT_S
    while time.monotonic() < deadline:
        for pid in _families(pids):
            if _enter(libc, pid):
                for name, limit in wanted.items():
                    with open(f"/proc/sys/{name}", "w", encoding="ascii") as file:
                        file.write(str(limit))
                return 0
        time.sleep(0.002)
    return 1


def _enter(libc: ctypes.CDLL, pid: int) -> bool:
    place = f"/proc/{pid}/ns/user"
    try:
        if os.readlink(place) == os.readlink("/proc/self/ns/user"):
            return False
        descriptor = os.open(place, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False  # it has ended, or is about to become another program
    try:
        return bool(libc.setns(descriptor, CLONE_NEWUSER) == 0)
    finally:
        os.close(descriptor)


def _families(pids: list[int]) -> Iterator[int]:
    queue = list(pids)
    while queue:
        pid = queue.pop()
        yield pid
        try:
            with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
                queue += map(int, file.read().split())
        except OSError:
            pass  # it has ended


def _number(name: str) -> int:
    try:
        with open(f"/proc/sys/{name}", encoding="ascii") as file:
            return int(file.read())
    except (OSError, ValueError):
        return 0  # a kernel that does not count it


if __name__ == "__main__":
    sys.exit(main([int(one) for one in sys.argv[1:]]))
