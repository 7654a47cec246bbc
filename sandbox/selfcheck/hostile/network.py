"""Attacks on the network: out of the sandbox, and to the host's own sockets."""

from __future__ import annotations

import errno
import os
import socket
from typing import Any, List

from .attempts import Report, allowed, content

# How the kernel says "there is no way there". Refusal and silence both mean that a packet went out.
NO_WAY = {
    errno.ENETUNREACH,
    errno.EHOSTUNREACH,
    errno.ENETDOWN,
    errno.EPERM,
    errno.EACCES,
    errno.EAFNOSUPPORT,
    errno.EADDRNOTAVAIL,
    errno.ENODEV,
}
TIMEOUT_S = 0.7
AF_VSOCK, VSOCK_HOST = 40, 2


def tcp(addresses: List[List[Any]]) -> Report:
    """Connect to ``addresses``; anything but "there is no way there" is a breach."""
    return _reached("TCP", socket.SOCK_STREAM, addresses)


def udp(addresses: List[List[Any]]) -> Report:
    """Send a datagram to ``addresses``; a send that the kernel takes is a breach."""
    return _reached("UDP", socket.SOCK_DGRAM, addresses)


def _reached(kind: str, style: int, addresses: List[List[Any]]) -> Report:
    tried, breaches = [], []
    for host, port in addresses:
        tried.append("%s %s:%s" % (kind, host, port))
        try:
            with socket.socket(_family(host), style) as one:
                one.settimeout(TIMEOUT_S)
                one.connect((host, port))
                if style == socket.SOCK_DGRAM:
                    one.send(b"regreen self-check")
            breaches.append("reached " + tried[-1])
        except OSError as error:
            if error.errno not in NO_WAY:
                breaches.append("a packet went out to %s (%s)" % (tried[-1], error))
    return tried, breaches


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def names(names: List[str], servers: List[str]) -> Report:
    """Resolve ``names``, and ask name ``servers`` directly."""
    resolved = ["resolved " + name for name in names if allowed(socket.getaddrinfo, name, 80)]
    tried, breaches = udp([[server, 53] for server in servers + _name_servers()])
    return ["resolve " + name for name in names] + tried, resolved + breaches


def _name_servers() -> List[str]:
    lines = [line.split() for line in content("/etc/resolv.conf").decode("utf-8", "replace").splitlines()]
    found = [words[1] for words in lines if len(words) > 1 and words[0] == "nameserver"]
    # The sandbox has a loopback interface of its own: nobody listens there.
    return [server for server in found if not server.startswith("127.") and server != "::1"]


def interfaces() -> Report:
    """Look for another interface than loopback, for raw sockets, and for the hypervisor's socket family."""
    breaches = ["interface " + name for _, name in socket.if_nameindex() if name != "lo"]
    attempts = [
        ("packet socket", 17, socket.SOCK_RAW, 0),
        ("raw IPv4 socket", socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP),
        ("raw IPv6 socket", socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_ICMPV6),
        ("socket for the events of devices", socket.AF_NETLINK, socket.SOCK_RAW, 15),
    ]
    breaches += [title for title, *kind in attempts if allowed(_made, *kind)]
    return ["interfaces"] + [attempt[0] for attempt in attempts], breaches


def _made(family: int, kind: int, protocol: int) -> None:
    socket.socket(family, kind, protocol).close()


def vsock() -> Report:
    """Reach for the hypervisor: its socket family knows no network namespace."""
    breaches = []
    try:
        with socket.socket(AF_VSOCK, socket.SOCK_STREAM) as stream:
            stream.settimeout(TIMEOUT_S)
            stream.connect((VSOCK_HOST, 1))
            breaches.append("connected to the hypervisor")
    except (OSError, ValueError, TypeError) as error:
        # ENODEV: the machine has no such device. Elsewhere the family itself has to be closed.
        closed = {errno.EPERM, errno.EACCES, errno.EAFNOSUPPORT, errno.ENODEV, errno.EINVAL}
        if getattr(error, "errno", None) not in closed:
            breaches.append("the hypervisor's socket family answers: %s" % error)
    return ["AF_VSOCK to the hypervisor"], breaches


def host_sockets(sockets: List[List[Any]], secret: str) -> Report:
    """Knock at sockets that the host really holds open; whoever answers with ``secret`` is the host."""
    tried, breaches = [], []
    for kind, address in sockets:
        tried.append("%s %s" % (kind, address))
        try:
            answer = _knock(kind, address)
        except OSError:
            continue
        if secret.encode() in answer:
            breaches.append("the host answered at " + tried[-1])
    return tried, breaches


def _knock(kind: str, address: Any) -> bytes:
    if kind == "abstract":
        family, target = socket.AF_UNIX, "\0" + address
    elif kind == "path":
        family, target = socket.AF_UNIX, address
    else:
        family, target = _family(address[0]), tuple(address)
    datagram = kind == "udp"
    with socket.socket(family, socket.SOCK_DGRAM if datagram else socket.SOCK_STREAM) as knocking:
        knocking.settimeout(TIMEOUT_S)
        knocking.connect(target)
        if datagram:
            knocking.send(b"knock")
        return knocking.recv(100)


def engine_sockets(paths: List[str]) -> Report:
    """Look for the socket of a container engine, where such sockets usually lie."""
    breaches = []
    for path in filter(os.path.exists, paths):
        try:
            with socket.socket(socket.AF_UNIX) as stream:
                stream.connect(path)
            breaches.append("connected to " + path)
        except OSError as error:
            breaches.append("%s is there (%s)" % (path, error.strerror))
    breaches += ["the environment has " + name for name in ("DOCKER_HOST",) if name in os.environ]
    return paths, breaches
