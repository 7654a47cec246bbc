"""How long until a sandbox is ready, next to the bare command that makes the same kind of thing.

The two take turns, so that whatever else the machine does hits both. The bare commands start the same
interpreter and do nothing with it; what they leave out are our limits, the read-only root and the runner.
"""

import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sandbox.base import SandboxProvider, SandboxSpec
from sandbox.bubblewrap import isolation, system_mounts
from sandbox.interpreter import Interpreter


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """Medians in seconds."""

    name: str
    ours_s: float
    bare_s: float
    bare: str


def measure(provider: SandboxProvider, spec: SandboxSpec, *, rounds: int) -> Opening:
    """Open and close ``rounds`` sandboxes of ``provider`` and time them until they are ready."""
    argv = _bare(provider, spec)
    ours: list[float] = []
    bare: list[float] = []
    for number in range(rounds + 1):
        took = (_timed(lambda: subprocess.run(argv, check=True, capture_output=True)), _open(provider, spec))
        if number:  # the first one warms the caches
            bare.append(took[0])
            ours.append(took[1])
    return Opening(
        name=provider.name,
        ours_s=statistics.median(ours),
        bare_s=statistics.median(bare),
        bare=argv[0].rpartition("/")[2] + (" run" if provider.name == "docker" else ""),
    )


def _open(provider: SandboxProvider, spec: SandboxSpec) -> float:
    started = time.perf_counter()
    with provider.open(spec):
        return time.perf_counter() - started


def _timed(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def _bare(provider: SandboxProvider, spec: SandboxSpec) -> Sequence[str]:
    if provider.name == "docker":
        return ["docker", "run", "--rm", "--network", "none", spec.image, spec.python, "-c", "pass"]
    interpreter = Interpreter.of(spec.python)
    binds = [word for directory in interpreter.directories for word in ("--ro-bind", directory, directory)]
    start = ["--tmpfs", "/tmp", *binds, "--", interpreter.executable, "-c", "pass"]  # noqa: S108 - inside
    return [*isolation(), *system_mounts(), *start]
