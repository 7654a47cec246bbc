"""The machine as the code in a sandbox sees it: its user, the files that describe it, its variables.

Made up here for all providers, and the same on every host: nothing of it comes from the real machine. Tests
ask for a user's entry, for localhost or for a port's name as a matter of course; where nobody answers, they
fail inside only.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence

HOST_NAME = "sandbox"
USER = "sandbox"
UID = 65534  # nobody's number: to the real machine, the code is nobody
HOME = "/home/sandbox"
SHELL = "/bin/sh"
UMASK = 0o022
# The writable places beside the workspace, each emptied between two candidates.
TEMPORARY = ("/tmp", "/var/tmp", "/dev/shm", HOME)  # noqa: S108 - the sandbox's own
DIRECTORIES = ("/media", "/mnt", "/opt", "/root", "/run", "/srv", "/var/cache", "/var/lib", "/var/log")
LOOPBACK = "127.0.0.1"
# What the machine's own name stands for, as Debian has it: so a look-up of the address gives the name.
OWN_ADDRESS = "127.0.1.1"
# Asked at the sandbox's own loopback, where nobody listens, so that a look-up fails at once.
RESOLVER_OPTIONS = ("timeout:1", "attempts:1")

_NO_LOGIN = "/usr/sbin/nologin"
# Name, number, group's number, description, home, shell. The first entry of a number is the one found by it.
_USERS = (
    ("root", 0, 0, "root", "/root", SHELL),
    ("daemon", 1, 1, "daemon", "/usr/sbin", _NO_LOGIN),
    ("bin", 2, 2, "bin", "/bin", _NO_LOGIN),
    ("sys", 3, 3, "sys", "/dev", _NO_LOGIN),
    (USER, UID, UID, "", HOME, SHELL),
    ("nobody", UID, UID, "nobody", "/nonexistent", _NO_LOGIN),
)
_GROUPS = (
    *(("root", 0), ("daemon", 1), ("bin", 2), ("sys", 3), ("adm", 4), ("tty", 5), ("disk", 6)),
    *(("mail", 8), ("users", 100), (USER, UID), ("nogroup", UID)),
)
_PROTOCOLS = (
    *(("ip", 0, "IP"), ("icmp", 1, "ICMP"), ("igmp", 2, "IGMP"), ("tcp", 6, "TCP"), ("udp", 17, "UDP")),
    *(("ipv6", 41, "IPv6"), ("gre", 47, "GRE"), ("esp", 50, "IPSEC-ESP"), ("ah", 51, "IPSEC-AH")),
    *(("ipv6-icmp", 58, "IPv6-ICMP"), ("sctp", 132, "SCTP"), ("udplite", 136, "UDPLite")),
)
# By name: the port, the protocols, and other names, as the register of ports has them.
_SERVICES: Mapping[str, tuple[int, Sequence[str], str]] = {
    "echo": (7, ("tcp", "udp"), ""),
    "discard": (9, ("tcp", "udp"), "sink null"),
    "daytime": (13, ("tcp", "udp"), ""),
    "ftp-data": (20, ("tcp",), ""),
    "ftp": (21, ("tcp",), ""),
    "ssh": (22, ("tcp",), ""),
    "telnet": (23, ("tcp",), ""),
    "smtp": (25, ("tcp",), "mail"),
    "time": (37, ("tcp", "udp"), ""),
    "domain": (53, ("tcp", "udp"), ""),
    "bootps": (67, ("udp",), ""),
    "tftp": (69, ("udp",), ""),
    "http": (80, ("tcp",), "www"),
    "kerberos": (88, ("tcp", "udp"), "kerberos5 krb5"),
    "pop3": (110, ("tcp",), "pop-3"),
    "sunrpc": (111, ("tcp", "udp"), "portmapper"),
    "nntp": (119, ("tcp",), ""),
    "ntp": (123, ("udp",), ""),
    "imap2": (143, ("tcp",), "imap"),
    "snmp": (161, ("tcp", "udp"), ""),
    "ldap": (389, ("tcp", "udp"), ""),
    "https": (443, ("tcp", "udp"), ""),
    "submissions": (465, ("tcp",), "ssmtp smtps"),
    "syslog": (514, ("udp",), ""),
    "submission": (587, ("tcp",), ""),
    "ldaps": (636, ("tcp", "udp"), ""),
    "ftps": (990, ("tcp",), ""),
    "imaps": (993, ("tcp",), ""),
    "pop3s": (995, ("tcp",), ""),
    "socks": (1080, ("tcp",), ""),
    "mysql": (3306, ("tcp",), ""),
    "postgresql": (5432, ("tcp",), "postgres"),
    "amqp": (5672, ("tcp", "udp", "sctp"), ""),
    "redis": (6379, ("tcp",), ""),
    "http-alt": (8080, ("tcp", "udp"), "webcache"),
}


def _lines(lines: Iterator[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


PASSWD = _lines(f"{name}:x:{uid}:{gid}:{about}:{home}:{sh}" for name, uid, gid, about, home, sh in _USERS)
GROUP = _lines(f"{name}:x:{gid}:" for name, gid in _GROUPS)
# What says how names are looked up. A build of dependencies, which has network, gets the real machine's.
LOOK_UP: Mapping[str, str] = {
    "/etc/hosts": (
        f"{LOOPBACK}\tlocalhost\n{OWN_ADDRESS}\t{HOST_NAME}\n::1\tlocalhost ip6-localhost ip6-loopback\n"
        "ff02::1\tip6-allnodes\nff02::2\tip6-allrouters\n"
    ),
    "/etc/host.conf": "multi on\n",
    "/etc/nsswitch.conf": _lines(
        f"{database}: files" for database in ("passwd", "group", "hosts", "networks", "protocols", "services")
    ),
    "/etc/resolv.conf": f"nameserver {LOOPBACK}\noptions {' '.join(RESOLVER_OPTIONS)}\n",
}
FILES: Mapping[str, str] = {
    "/etc/passwd": PASSWD,
    "/etc/group": GROUP,
    "/etc/hostname": f"{HOST_NAME}\n",
    # 32 digits as systemd makes them, always the same.
    "/etc/machine-id": f"{hashlib.sha256(HOST_NAME.encode()).hexdigest()[:32]}\n",
    "/etc/protocols": _lines(f"{name}\t{number}\t{alias}" for name, number, alias in _PROTOCOLS),
    "/etc/services": _lines(
        f"{name}\t{port}/{protocol}\t{aliases}".rstrip()
        for name, (port, protocols, aliases) in _SERVICES.items()
        for protocol in protocols
    ),
    "/etc/shells": f"{SHELL}\n",
    "/etc/timezone": "Etc/UTC\n",
}
LINKS: Mapping[str, str] = {
    "/etc/localtime": "/usr/share/zoneinfo/Etc/UTC",
    "/etc/mtab": "/proc/self/mounts",
    "/etc/os-release": "../usr/lib/os-release",
    "/var/run": "/run",
}


def merged(path: str, present: str) -> str:
    """The entries of an image's ``path`` (``/etc/passwd`` or ``/etc/group``), with ours that it lacks.

    The user's own stands first, so that it is the one found by its number.
    """
    lines = present.splitlines()
    known = {line.partition(":")[0] for line in lines}
    own = [line for line in FILES[path].splitlines() if line.startswith(f"{USER}:")]
    others = [line for line in FILES[path].splitlines() if line.partition(":")[0] not in known | {USER}]
    kept = [line for line in lines if line.partition(":")[0] != USER]
    return "\n".join([*own, *kept, *others]) + "\n"


def digest() -> str:
    """Of all that is written into an image: changes when any of it does."""
    parts = (*FILES.items(), *LINKS.items(), ("home", HOME), ("directories", " ".join(DIRECTORIES)))
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]
