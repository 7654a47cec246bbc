"""Registers ``sandbox.process``."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from sandbox import cgroup
from sandbox.providers.kind import KnownGap, ProviderKind, Traits, gaps

if TYPE_CHECKING:
    from sandbox.process import ProcessProvider

WITHOUT_GROUP = "where no control group can be made"


def no_group() -> bool:
    """Whether no control group can be made here."""
    return not cgroup.available()


GROUP_LIMITS = {
    "memory-of-many": KnownGap(
        reason="memory is limited for each process and not for all together",
        where=WITHOUT_GROUP,
        applies=no_group,
    ),
    "processor-time": KnownGap(reason="there is no quota", where=WITHOUT_GROUP, applies=no_group),
}


class Process(ProviderKind):
    """Child processes of this one."""

    name = "process"
    rank = 3
    help = "no isolation"
    isolated = False
    traits = Traits(
        gaps={
            **gaps(
                "a plain child process shares the host's network, files and processes",
                *("network-tcp", "network-udp", "network-dns", "network-metadata", "network-loopback"),
                *("network-host", "network-abstract", "network-interfaces", "network-vsock"),
                *("engine-socket", "host-files", "host-processes", "write-outside", "devices"),
                "leftover-ipc",
            ),
            **gaps(
                "a plain child process has the caller's rights",
                *("not-root", "capabilities", "namespaces", "system-calls", "kernel-files"),
                *("clock-and-locale", "supervisor-signals", "supervisor-priority", "device-nodes"),
            ),
            **gaps(
                "the supervisor runs as the same user, and root may open even what is not dumpable",
                *("supervisor-memory", "supervisor-descriptors"),
            ),
            **gaps("its directory lies on the host's disk", "disk", "disk-places"),
            **gaps("the host copies no content, but inside a link leads to the host's file", "archive-out"),
            **GROUP_LIMITS,
            "fork-bomb": KnownGap(reason="there is no limit", where=WITHOUT_GROUP, applies=no_group),
        },
    )

    def make(self, resources: ExitStack, *, runtime: str = "") -> ProcessProvider:  # noqa: ARG002
        """See ``ProviderKind.make``."""
        from sandbox.process import ProcessProvider

        return ProcessProvider()


KIND = Process()
