"""Registers ``sandbox.bubblewrap``."""

from __future__ import annotations

import os
from contextlib import ExitStack
from typing import TYPE_CHECKING

from sandbox import confine, devices
from sandbox.providers.kind import KnownGap, ProviderKind, Traits, gaps
from sandbox.providers.process import GROUP_LIMITS, WITHOUT_GROUP, no_group

if TYPE_CHECKING:
    from sandbox.base import SandboxProvider
    from sandbox.bubblewrap import BubblewrapProvider
    from sandbox.selfcheck.builds import Builds


def _no_own_network() -> bool:
    from sandbox.environment import own_network

    return not own_network.available()


_NODES = KnownGap(
    reason="the nodes are the machine's own, and to the kernel root inside owns them",
    where="for root without the right to mount, as in a container",
    applies=lambda: os.geteuid() == 0 and not devices.can_protect_nodes(),
)
_SHARED = KnownGap(
    reason="a build shares the machine's network",
    where="where slirp4netns is missing or does not work, or a build variable names the loopback",
    applies=_no_own_network,
)


class Bubblewrap(ProviderKind):
    """Namespaces of this machine's kernel."""

    name = "bubblewrap"
    rank = 2
    traits = Traits(
        gaps={
            **GROUP_LIMITS,
            "fork-bomb": KnownGap(
                reason="the kernel excepts root from the limit",
                where=f"for root, {WITHOUT_GROUP}",
                # The kernel excepts root from RLIMIT_NPROC, in every user namespace.
                applies=lambda: no_group() and os.geteuid() == 0,
            ),
            "device-nodes": _NODES,
        },
    )
    build_traits = Traits(
        gaps={
            "network-metadata": _SHARED,
            "network-loopback": _SHARED,
            **gaps("what the machine offers to others, it offers to a build", "network-host"),
            "device-nodes": _NODES,
            "network-abstract": KnownGap(
                reason="a build shares the machine's network, and with it the names of abstract sockets",
                where=f"before Linux 6.12 or without Landlock, {_SHARED.where}",
                applies=lambda: _no_own_network() and not confine.can_keep_from_abstract_sockets(),
            ),
        }
    )

    def make(self, resources: ExitStack, *, runtime: str = "") -> BubblewrapProvider:  # noqa: ARG002
        """See ``ProviderKind.make``."""
        from sandbox.bubblewrap import BubblewrapProvider

        return BubblewrapProvider()

    def builds(self, provider: SandboxProvider) -> Builds:  # noqa: ARG002
        """See ``ProviderKind.builds``."""
        from sandbox.selfcheck.builds import bubblewrap_builds

        return bubblewrap_builds()


KIND = Bubblewrap()
