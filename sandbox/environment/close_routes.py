"""Makes link-local addresses unreachable in a network namespace. Run as a program of its own, by the host.

Its arguments are the descriptors of the user namespace that the network belongs to, and of the network.
A process with threads could not enter a user namespace.
"""

from __future__ import annotations

import ctypes
import os
import socket
import struct
import sys

CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
# Linux, rtnetlink(7): a new route, with an answer; of this kind in the main table.
NEW_ROUTE, REQUEST, ACKNOWLEDGE, CREATE = 24, 0x001, 0x004, 0x400
MAIN_TABLE, BY_THE_ADMINISTRATOR, UNREACHABLE, DESTINATION = 254, 4, 7, 1
LINK_LOCAL, PREFIX = "169.254.0.0", 16


def main() -> None:
    """Enter the namespaces, and make the route."""
    libc = ctypes.CDLL(None, use_errno=True)
    for descriptor, kind in zip(map(int, sys.argv[1:]), (CLONE_NEWUSER, CLONE_NEWNET), strict=True):
        if libc.setns(descriptor, kind) != 0:
            raise OSError(ctypes.get_errno(), "cannot enter the namespace")
    route = struct.pack(
        "=8BI", socket.AF_INET, PREFIX, 0, 0, MAIN_TABLE, BY_THE_ADMINISTRATOR, 0, UNREACHABLE, 0
    )
    route += struct.pack("=HH4s", 8, DESTINATION, socket.inet_aton(LINK_LOCAL))
    head = struct.pack("=IHHII", 16 + len(route), NEW_ROUTE, REQUEST | ACKNOWLEDGE | CREATE, 1, 0)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as kernel:
        kernel.send(head + route)
        (error,) = struct.unpack_from("=i", kernel.recv(4096), 16)
    if error:
        raise OSError(-error, os.strerror(-error))


if __name__ == "__main__":
    main()
