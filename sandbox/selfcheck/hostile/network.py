"""Attacks on the network: out of the sandbox, and to the host's own sockets."""

from __future__ import annotations

import errno
import os
import socket
from typing import Any, Dict, List

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


def tcp(argument: Dict[str, Any]) -> Dict[str, Any]:
    """Connect to ``addresses``; anything but "there is no way there" is a breach."""
    return _reached("TCP", socket.SOCK_STREAM, argument["addresses"])


def udp(argument: Dict[str, Any]) -> Dict[str, Any]:
    """Send a datagram to ``addresses``; a send that the kernel takes is a breach."""
    return _reached("UDP", socket.SOCK_DGRAM, argument["addresses"])


def _reached(kind: str, style: int, addresses: List[List[Any]]) -> Dict[str, Any]:
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
    return {"tried": tried, "breaches": breaches}


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def names(argument: Dict[str, Any]) -> Dict[str, Any]:
    """Resolve ``names``, and ask name servers directly."""
    tried, breaches = [], []
    for name in argument["names"]:
        tried.append("resolve " + name)
        try:
            socket.getaddrinfo(name, 80)
            breaches.append("resolved " + name)
        except OSError:
            pass
    servers = [[server, 53] for server in argument["servers"] + _name_servers()]
    asked = udp({"addresses": servers})
    return {"tried": tried + asked["tried"], "breaches": breaches + asked["breaches"]}


def _name_servers() -> List[str]:
    try:
        with open("/etc/resolv.conf") as handle:
            lines = [line.split() for line in handle]
    except OSError:
        return []
    found = [words[1] for words in lines if len(words) > 1 and words[0] == "nameserver"]
    # The sandbox has a loopback interface of its own: nobody listens there.
    return [server for server in found if not server.startswith("127.") and server != "::1"]


def interfaces(argument: Dict[str, Any]) -> Dict[str, Any]:
    """Look for another interface than loopback, for raw sockets, and for the hypervisor's socket family."""
    breaches = ["interface " + name for _, name in socket.if_nameindex() if name != "lo"]
    attempts = [
        ("packet socket", 17, socket.SOCK_RAW, 0),
        ("raw IPv4 socket", socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP),
        ("raw IPv6 socket", socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_ICMPV6),
        ("socket for the events of devices", socket.AF_NETLINK, socket.SOCK_RAW, 15),
    ]
    for title, family, kind, protocol in attempts:
        try:
            socket.socket(family, kind, protocol).close()
            breaches.append(title)
        except OSError:
            pass
    return {"tried": ["interfaces"] + [attempt[0] for attempt in attempts], "breaches": breaches}


def vsock(argument: Dict[str, Any]) -> Dict[str, Any]:
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
    return {"tried": ["AF_VSOCK to the hypervisor"], "breaches": breaches}


def host_sockets(argument: Dict[str, Any]) -> Dict[str, Any]:
    """Knock at sockets that the host really holds open; whoever answers with ``secret`` is the host."""
    tried, breaches = [], []
    secret = argument["secret"].encode()
    for kind, address in argument["sockets"]:
        tried.append("%s %s" % (kind, address))
        try:
            answer = _knock(kind, address)
        except OSError:
            continue
        if secret in answer:
            breaches.append("the host answered at %s %s" % (kind, address))
    return {"tried": tried, "breaches": breaches}


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


def engine_sockets(argument: Dict[str, Any]) -> Dict[str, Any]:
    """Look for the socket of a container engine, where such sockets usually lie."""
    tried, breaches = [], []
    for path in argument["paths"]:
        tried.append(path)
        if not os.path.exists(path):
            continue
        try:
            with socket.socket(socket.AF_UNIX) as stream:
                stream.connect(path)
            breaches.append("connected to " + path)
        except OSError as error:
            breaches.append("%s is there (%s)" % (path, error.strerror))
    breaches += ["the environment has " + name for name in ("DOCKER_HOST",) if name in os.environ]
    return {"tried": tried, "breaches": breaches}
