"""Closes a build's network to addresses at which clouds answer with a machine's keys. A program of its own.

Run by the host, its arguments are the descriptors of the user namespace that the network belongs to, and of
the network: a process with threads could not enter a user namespace. Run in a container, whose network a
build then shares, they are ``--stay`` and for how many seconds. It runs on CPython 3.7 or newer.
"""

from __future__ import annotations

import ctypes
import errno
import ipaddress
import os
import socket
import struct
import sys
import time

CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
# Linux, rtnetlink(7): a new route, with an answer; of this kind in the main table.
NEW_ROUTE, REQUEST, ACKNOWLEDGE, CREATE = 24, 0x001, 0x004, 0x400
MAIN_TABLE, BY_THE_ADMINISTRATOR, UNREACHABLE, DESTINATION = 254, 4, 7, 1
# All that is link-local, then what in it is known, for where the rest is needed to look up names.
CLOSED = (
    *("169.254.0.0/16", "169.254.169.254/32", "169.254.170.2/32", "169.254.170.23/32"),
    *("100.100.100.200/32", "192.0.0.192/32", "fd00:ec2::254/128", "fd00:ec2::23/128"),
)
DONE = "closed"


def main() -> None:
    """Enter the namespaces where there are any, and make the routes."""
    if sys.argv[1] == "--stay":
        close(_name_servers())
        sys.stdout.write(f"{DONE}\n")
        sys.stdout.flush()
        time.sleep(float(sys.argv[2]))
        return
    libc = ctypes.CDLL(None, use_errno=True)
    for descriptor, kind in zip(map(int, sys.argv[1:]), (CLONE_NEWUSER, CLONE_NEWNET)):  # noqa: B905 - no strict before 3.10
        if libc.setns(descriptor, kind) != 0:
            raise OSError(ctypes.get_errno(), "cannot enter the namespace")
    close([])


def close(needed: list[str]) -> None:
    """Make the addresses unreachable, but for those that lie with one that is ``needed``."""
    for text in CLOSED:
        block = ipaddress.ip_network(text)
        if not any(ipaddress.ip_address(one) in block for one in needed):
            _make_unreachable(block)


def can_be_closed() -> bool:
    """Whether no name server of this machine has one of the addresses itself."""
    blocks = [ipaddress.ip_network(text) for text in CLOSED[1:]]
    return not any(ipaddress.ip_address(server) in block for server in _name_servers() for block in blocks)


def _make_unreachable(block: ipaddress.IPv4Network | ipaddress.IPv6Network) -> None:
    family = socket.AF_INET if block.version == 4 else socket.AF_INET6
    address = block.network_address.packed
    route = struct.pack(
        "=8BI", family, block.prefixlen, 0, 0, MAIN_TABLE, BY_THE_ADMINISTRATOR, 0, UNREACHABLE, 0
    )
    route += struct.pack("=HH", 4 + len(address), DESTINATION) + address
    head = struct.pack("=IHHII", 16 + len(route), NEW_ROUTE, REQUEST | ACKNOWLEDGE | CREATE, 1, 0)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as kernel:
        kernel.send(head + route)
        (error,) = struct.unpack_from("=i", kernel.recv(4096), 16)
    # A network without IPv6 reaches none of its addresses.
    if error and -error != errno.EEXIST and family == socket.AF_INET:
        raise OSError(-error, os.strerror(-error))


def _name_servers() -> list[str]:
    """The addresses that names are looked up at."""
    try:
        with open("/etc/resolv.conf", encoding="utf-8", errors="replace") as file:
            lines = [line.split() for line in file]
        servers = [words[1] for words in lines if len(words) > 1 and words[0] == "nameserver"]
        return [str(ipaddress.ip_address(server.partition("%")[0])) for server in servers]
    except (OSError, ValueError):
        return []


if __name__ == "__main__":
    main()
