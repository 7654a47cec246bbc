"""What is known to be otherwise inside, and why: one table, which docs/sandbox_tables.py writes down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

EVERYWHERE = ("docker", "bubblewrap", "process")
ISOLATED = ("docker", "bubblewrap")


@dataclass(frozen=True, slots=True, kw_only=True)
class LikenessDifference:
    """Why a call is answered otherwise by ``providers``; ``sometimes``, on some machines only."""

    reason: str
    providers: tuple[str, ...] = ISOLATED
    sometimes: bool = False


_NOT_ROOT = "the code inside is never root, and this machine's Regreen was started by root"
_NO_NETWORK = "there is no network inside: loopback knows no way to it"
_OWN_HOME = "the process sandbox has a home of its own beside the machine's entries"
_IMAGE = "the image has it, or not: it decides"


def _known(
    reason: str, *calls: str, providers: tuple[str, ...] = ISOLATED, sometimes: bool = True
) -> dict[str, LikenessDifference]:
    difference = LikenessDifference(reason=reason, providers=providers, sometimes=sometimes)
    return dict.fromkeys(calls, difference)


DIFFERENCES: Mapping[str, LikenessDifference] = {
    **_known(
        "to the machine, the code inside is nobody: its number is 65534", "os.getuid()", sometimes=False
    ),
    **_known(_NOT_ROOT, "a port below 1024", "a file without rights"),
    **_known(_NO_NETWORK, "UDP to a multicast address"),
    **_known(
        "loopback is the only interface, and to the C library its addresses are none that count",
        "socket.getaddrinfo with AI_ADDRCONFIG, IPv4",
    ),
    **_known(
        "each process may take no more than --sandbox-memory",
        "memory without a limit",
        providers=EVERYWHERE,
        sometimes=False,
    ),
    **_known(
        "a machine's own certificates can name it, and nobody is there to be called",
        "ssl: the machine's certificates",
    ),
    **_known(
        _IMAGE,
        *("git --version", "bash --version", "ssl: the lowest version", "mimetypes.guess_type of .webp"),
        *("ctypes.util.find_library('c')", "zoneinfo.available_timezones()", "zoneinfo.ZoneInfo"),
        *("/usr/share/zoneinfo", "time.tzset with another zone", "platform.freedesktop_os_release()"),
        *("locale.setlocale(LC_ALL, '')", "platform.libc_ver()"),
        providers=("docker",),
    ),
    **_known(
        "the engine starts no program from /dev/shm",
        "a program in /dev/shm",
        providers=("docker",),
    ),
    **_known(
        "an engine on another machine, or gVisor, gives the loopback no ::1",
        "TCP at ::1",
        providers=("docker",),
    ),
    **_known("/sys describes the machine", "/sys", providers=("bubblewrap",)),
    **_known(
        _OWN_HOME,
        *("the user's entry names $HOME", "os.path.expanduser('~') without $HOME"),
        providers=("process",),
        sometimes=False,
    ),
    **_known(
        "where somebody is logged in, the machine says who; inside nobody is, as in CI",
        "os.getlogin()",
    ),
    **_known(
        "the process sandbox is this machine, whatever that lacks",
        *(
            "TCP at the machine's own name",
            "a name of the outside fails at once",
            "an address of the outside",
        ),
        *("pwd.getpwuid(os.getuid())", "the user's shell is a program", "/etc/machine-id", "/etc/hostname"),
        *("pwd.getpwnam of that entry's name", "pwd.getpwall()", "the user's entry names $USER"),
        *("pathlib.Path.owner() of a file of one's own", "/etc/resolv.conf", "4096 open files"),
        *("the local zone without $TZ is UTC",),
        providers=("process",),
    ),
}


def differences_of(provider: str) -> dict[str, LikenessDifference]:
    """The differences that ``provider`` is known to have, by the call's name."""
    return {name: found for name, found in DIFFERENCES.items() if provider in found.providers}
