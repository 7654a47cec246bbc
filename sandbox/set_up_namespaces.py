"""Sets up the namespaces of a sandbox from outside: limits on what the kernel counts, and addresses.

Its arguments are processes, of which one, or a child, makes the namespaces. It is a program of its own, run
by the host: a process with threads cannot enter a namespace.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import socket
import struct
import sys
import time

# Importing typing takes longer than the rest of this: it is for those who check the types.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
NS_GET_USERNS = 0xB701  # ioctl_ns(2)
TIMEOUT_S = 5.0
PAUSE_S = 0.002
SHARE = 8
"""So many sandboxes together may use all that the caller has."""

# Limits of the namespace, by those of each user of the machine.
COUNTS = {
    "user/max_inotify_instances": "fs/inotify/max_user_instances",
    "user/max_inotify_watches": "fs/inotify/max_user_watches",
    "user/max_fanotify_groups": "fs/fanotify/max_user_groups",
    "user/max_fanotify_marks": "fs/fanotify/max_user_marks",
}

# The loopback's further addresses, with the length of their prefix. The machine's own name has the first.
ADDRESSES = ((socket.AF_INET, "127.0.1.1", 32), (socket.AF_INET6, "fe80::1", 64))
MULTICAST = ("224.0.0.0", 4)
# Linux, rtnetlink(7) and netlink(7): a new address or route, with an answer.
NEW_ADDRESS, NEW_ROUTE, REQUEST, ACKNOWLEDGE, CREATE = 20, 24, 0x001, 0x004, 0x400
ADDRESS, LOCAL, DESTINATION, OUT_INTERFACE = 1, 2, 1, 4
NO_DUPLICATE_CHECK, SCOPE_LINK, SCOPE_HOST = 0x02, 253, 254
MAIN_TABLE, BY_THE_ADMINISTRATOR, UNICAST = 254, 4, 1
GET_FLAGS, IS_UP = 0x8913, 0x1  # netdevice(7)


def main(pids: list[int]) -> int:
    """Wait for the namespaces, enter them, and set them up; 0 where that is done."""
    libc = ctypes.CDLL(None, use_errno=True)
    wanted = {name: max(1, _number(other) // SHARE) for name, other in COUNTS.items() if _number(other)}
    deadline = time.monotonic() + TIMEOUT_S
    while time.monotonic() < deadline:
        for pid in _families(pids):
            network = _network(pid)
            if network is None:
                continue
            owner = fcntl.ioctl(network, NS_GET_USERNS)
            if libc.setns(owner, CLONE_NEWUSER) == 0:
                for name, limit in wanted.items():
                    with open(f"/proc/sys/{name}", "w", encoding="ascii") as file:
                        file.write(str(limit))
                if libc.setns(network, CLONE_NEWNET) == 0:
                    _connect(deadline)
                return 0
        time.sleep(PAUSE_S)
    return 1


def _network(pid: int) -> int | None:
    """A descriptor of the network namespace of ``pid``; None while it has the caller's."""
    place = f"/proc/{pid}/ns/net"
    try:
        if os.readlink(place) == os.readlink("/proc/self/ns/net"):
            return None
        return os.open(place, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None  # it has ended, or is about to become another program


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


def _connect(deadline: float) -> None:
    """Give the loopback the addresses, and, as soon as bwrap has it up, a route for multicast."""
    loopback = socket.if_nametoindex("lo")
    for family, text, prefix in ADDRESSES:
        address = socket.inet_pton(family, text)
        scope = SCOPE_HOST if family == socket.AF_INET else SCOPE_LINK
        message = struct.pack("=4BI", family, prefix, NO_DUPLICATE_CHECK, scope, loopback)
        _ask(NEW_ADDRESS, message + _attribute(LOCAL, address) + _attribute(ADDRESS, address))
    while not _is_up() and time.monotonic() < deadline:
        time.sleep(PAUSE_S)
    route = struct.pack(
        "=8BI",
        *(socket.AF_INET, MULTICAST[1], 0, 0, MAIN_TABLE, BY_THE_ADMINISTRATOR, SCOPE_LINK, UNICAST),
        0,
    )
    route += _attribute(DESTINATION, socket.inet_aton(MULTICAST[0]))
    _ask(NEW_ROUTE, route + _attribute(OUT_INTERFACE, struct.pack("=I", loopback)))


def _attribute(kind: int, value: bytes) -> bytes:
    return struct.pack("=HH", 4 + len(value), kind) + value


def _ask(kind: int, message: bytes) -> None:
    """Ask the kernel; a refusal, as where there is no IPv6, leaves things as they are."""
    head = struct.pack("=IHHII", 16 + len(message), kind, REQUEST | ACKNOWLEDGE | CREATE, 1, 0)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as kernel:
        kernel.send(head + message)
        kernel.recv(4096)


def _is_up() -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        answer = fcntl.ioctl(one, GET_FLAGS, struct.pack("16sH14x", b"lo", 0))
    return bool(struct.unpack("16xH14x", answer)[0] & IS_UP)


def _number(name: str) -> int:
    try:
        with open(f"/proc/sys/{name}", encoding="ascii") as file:
            return int(file.read())
    except (OSError, ValueError):
        return 0  # a kernel that does not count it


if __name__ == "__main__":
    sys.exit(main([int(one) for one in sys.argv[1:]]))
