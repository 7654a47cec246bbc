"""How long until a sandbox is ready."""

import statistics
import time
from dataclasses import dataclass

from sandbox.base import SandboxProvider, SandboxSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """The median in seconds."""

    name: str
    ours_s: float


def measure(provider: SandboxProvider, spec: SandboxSpec, *, rounds: int) -> Opening:
    """Open and close ``rounds`` sandboxes of ``provider`` and time them until they are ready."""
    seconds = [_open(provider, spec) for _ in range(rounds + 1)]
    return Opening(name=provider.name, ours_s=statistics.median(seconds[1:]))  # the first warms the caches


def _open(provider: SandboxProvider, spec: SandboxSpec) -> float:
    started = time.perf_counter()
    with provider.open(spec):
        return time.perf_counter() - started
