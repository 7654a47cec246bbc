"""What a provider is known not to promise: one table, which docs/sandbox_tables.py writes down.

A gap is never reported as passed, whatever the attack achieved. Some exist only on some machines.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sandbox import cgroup, confine, devices
from sandbox.environment import own_network
from sandbox.environment.close_routes import can_be_closed

_NAMESPACE = "a plain child process shares the host's network, files and processes"
_RIGHTS = "a plain child process has the caller's rights"
_SUPERVISOR = "the supervisor runs as the same user, and root may open even what is not dumpable"
_NO_GROUP = "limited for each process and not for all together"


def _always() -> bool:
    return True


def _no_group() -> bool:
    return not cgroup.available()


def _no_group_as_root() -> bool:
    # The kernel excepts root from RLIMIT_NPROC, in every user namespace.
    return _no_group() and os.geteuid() == 0


def _root_without_mounts() -> bool:
    return os.geteuid() == 0 and not devices.can_protect_nodes()


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownGap:
    """Why a promise does not hold, and ``where`` (in words; ``applies`` says whether that is here)."""

    reason: str
    where: str = "everywhere"
    applies: Callable[[], bool] = _always

    @property
    def conditional(self) -> bool:
        """Whether it exists on some machines only."""
        return self.applies is not _always

    def __str__(self) -> str:
        return self.reason if not self.conditional else f"{self.reason} ({self.where})"


def _gaps(reason: str, *names: str) -> dict[str, KnownGap]:
    return {name: KnownGap(reason=reason) for name in names}


_WITHOUT_GROUP = "where no control group can be made"
_GROUP_LIMITS = {
    "memory-of-many": KnownGap(reason=f"memory is {_NO_GROUP}", where=_WITHOUT_GROUP, applies=_no_group),
    "processor-time": KnownGap(reason="there is no quota", where=_WITHOUT_GROUP, applies=_no_group),
}

_NODES = KnownGap(
    reason="the nodes are the machine's own, and to the kernel root inside owns them",
    where="for root without the right to mount, as in a container",
    applies=_root_without_mounts,
)

_SHARED = KnownGap(
    reason="a build shares the machine's network",
    where="where slirp4netns is missing or does not work, or a build variable names the loopback",
    applies=lambda: not own_network.available(),
)

KNOWN_GAPS: Mapping[str, Mapping[str, KnownGap]] = {
    "docker": {},
    "bubblewrap": {
        **_GROUP_LIMITS,
        "fork-bomb": KnownGap(
            reason="the kernel excepts root from the limit",
            where=f"for root, {_WITHOUT_GROUP}",
            applies=_no_group_as_root,
        ),
        "device-nodes": _NODES,
    },
    "docker build": {
        "network-metadata": KnownGap(
            reason="a build looks names up where the keys are",
            where="where the machine's name server is its metadata service",
            applies=lambda: not can_be_closed(),
        ),
        **_gaps("a build reaches what the engine's network reaches", "network-host"),
    },
    "bubblewrap build": {
        "network-metadata": _SHARED,
        "network-loopback": _SHARED,
        **_gaps("what the machine offers to others, it offers to a build", "network-host"),
        "device-nodes": _NODES,
        "network-abstract": KnownGap(
            reason="a build shares the machine's network, and with it the names of abstract sockets",
            where=f"before Linux 6.12 or without Landlock, {_SHARED.where}",
            applies=lambda: not (own_network.available() or confine.can_keep_from_abstract_sockets()),
        ),
    },
    "process": {
        **_gaps(
            _NAMESPACE,
            "network-tcp",
            "network-udp",
            "network-dns",
            "network-metadata",
            "network-loopback",
            "network-host",
            "network-abstract",
            "network-interfaces",
            "network-vsock",
            "engine-socket",
            "host-files",
            "host-processes",
            "write-outside",
            "devices",
            "leftover-ipc",
        ),
        **_gaps(
            _RIGHTS,
            "not-root",
            "capabilities",
            "namespaces",
            "system-calls",
            "kernel-files",
            "clock-and-locale",
            "supervisor-signals",
            "supervisor-priority",
            "device-nodes",
        ),
        **_gaps(_SUPERVISOR, "supervisor-memory", "supervisor-descriptors"),
        **_gaps("its directory lies on the host's disk", "disk", "disk-places"),
        **_gaps("the host copies no content, but inside a link leads to the host's file", "archive-out"),
        **_GROUP_LIMITS,
        "fork-bomb": KnownGap(reason="there is no limit", where=_WITHOUT_GROUP, applies=_no_group),
    },
}


def gap_of(provider: str, check: str) -> KnownGap | None:
    """The gap that ``provider`` has at ``check`` on this machine, if any."""
    gap = KNOWN_GAPS.get(provider, {}).get(check)
    return gap if gap is not None and gap.applies() else None
