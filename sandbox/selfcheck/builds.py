"""The promises of a run that a build shares. It has network, no supervisor, and no limits on its files."""

from sandbox.base import SandboxProvider
from sandbox.providers import KINDS

# By the names of their checks.
BUILD_CHECKS = (
    *("network-metadata", "network-loopback", "network-host", "network-abstract", "network-vsock"),
    *("engine-socket", "environment", "host-files", "host-processes"),
    *("write-outside", "kernel-files", "devices", "device-nodes"),
    *("not-root", "capabilities", "namespaces", "system-calls", "standard-input"),
)


def builds_of(provider: SandboxProvider) -> SandboxProvider | None:
    """The steps of builds for sandboxes of ``provider``, as sandboxes; None where these are not isolated."""
    return KINDS[provider.name].builds(provider)
