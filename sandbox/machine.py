"""The machine as the code in a sandbox sees it: its user, the files that describe it, its variables.

Made up here and in ``etc/``, the same for all providers and on every host: nothing of it comes from the real
machine. Tests ask for a user's entry, for localhost or for a port's name as a matter of course; where nobody
answers, they fail inside only. There is no terminal, as in CI: TERM, COLUMNS and LINES are not set, and a
size that is asked for is 80 by 24.
"""

import hashlib
import os
import pwd
from collections.abc import Mapping
from importlib import resources

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


def _own(name: str) -> str:
    return resources.files("sandbox").joinpath("etc", name).read_text("ascii")


# What says how names are looked up. A build of dependencies, which has network, gets the real machine's.
LOOK_UP: Mapping[str, str] = {
    "/etc/hosts": (
        f"{LOOPBACK}\tlocalhost\n{OWN_ADDRESS}\t{HOST_NAME}\n::1\tlocalhost ip6-localhost ip6-loopback\n"
        "ff02::1\tip6-allnodes\nff02::2\tip6-allrouters\n"
    ),
    "/etc/host.conf": "multi on\n",
    "/etc/nsswitch.conf": _own("nsswitch.conf"),
    "/etc/resolv.conf": f"nameserver {LOOPBACK}\noptions {' '.join(RESOLVER_OPTIONS)}\n",
}
FILES: Mapping[str, str] = {
    # The first entry of a number is the one found by it.
    "/etc/passwd": _own("passwd"),
    "/etc/group": _own("group"),
    "/etc/hostname": f"{HOST_NAME}\n",
    # 32 digits as systemd makes them, always the same.
    "/etc/machine-id": f"{hashlib.sha256(HOST_NAME.encode()).hexdigest()[:32]}\n",
    "/etc/protocols": _own("protocols"),
    "/etc/services": _own("services"),
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


DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def scrubbed(
    extra: Mapping[str, str], *, home: str, path: str = DEFAULT_PATH, user: str = USER
) -> dict[str, str]:
    """A fixed user, locale, clock zone and hash seed, so that two runs differ in nothing but the code."""
    return {
        "HOME": home,
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "LOGNAME": user,
        "PATH": path,
        "PYTHONHASHSEED": "0",
        "PYTHONUNBUFFERED": "1",
        "SHELL": SHELL,
        "TZ": "UTC",
        "USER": user,
        **extra,
    }


def caller() -> str:
    """The name of the user that this process runs as: what a plain child of it finds by its number."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # a number without an entry, as in some containers
        return USER
