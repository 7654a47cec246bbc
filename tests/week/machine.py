"""The machine that the Action runs on: a process as a runner starts it, and what it leaves behind.

Each run gets a disk of its own, as each container does: where a run ended by itself, nothing may be left on
it. Orphans are handed to this process, so that none goes unseen.
"""

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from fakes.action import read_outputs

from sandbox.docker import OWNER_LABEL

_PR_SET_CHILD_SUBREAPER = 36
GONE_S = 10.0
LONGEST_RUN_S = 300.0
Watch = Callable[[str, int], None]
"""Is told each line of a run's log, with the process's number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What a run left. ``status`` is negative where a signal ended it.

    ``left`` are files on its disk, and processes, that should not be there.
    """

    status: int
    log: str
    outputs: Mapping[str, str]
    summary: str
    seconds: float
    left: tuple[str, ...]
    pages: tuple[str, ...] = field(repr=False)


def adopt_orphans() -> None:
    """From here on, what loses its parent below us becomes our child."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "cannot adopt orphans")


def run(
    environment: Mapping[str, str],
    directory: Path,
    *,
    watch: Watch | None = None,
) -> Ran:
    """Run the Action; ``directory`` is mounted by the runner and holds what it reads afterwards."""
    started = time.monotonic()
    disk = Path(environment["TMPDIR"])
    for name in ("output", "summary"):
        (directory / name).write_text("")
    command = [sys.executable, "-I", "-m", "bot.action"]
    with subprocess.Popen(
        command, env=dict(environment), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=directory
    ) as process:
        late = threading.Event()
        alarm = threading.Timer(LONGEST_RUN_S, lambda: (late.set(), process.kill()))
        alarm.start()
        lines = []
        try:
            for raw in process.stdout:
                lines.append(raw.decode("utf-8", "replace"))
                if watch:
                    watch(lines[-1], process.pid)
            status = process.wait()
        finally:
            alarm.cancel()
            process.kill()
    left = [f"the process {text}" for text in survivors()]
    if "docker" in environment.get("INPUT_SANDBOX", ""):
        left += [f"the container {name}" for name in containers(process.pid)]
    if late.is_set():
        left.append(f"a run that would not end within {LONGEST_RUN_S:.0f} s")
    kept = sorted(str(path.relative_to(disk)) for path in disk.rglob("*"))
    pages = [path.read_text("utf-8", "replace") for path in disk.rglob("*") if path.is_file()]
    if status >= 0:
        left += [f"the file {name}" for name in kept]
    proposal = directory / "workspace" / "regreen-proposal.json"
    if proposal.exists():
        pages.append(proposal.read_text("utf-8", "replace"))
    return Ran(
        status=status,
        log="".join(lines),
        outputs=read_outputs((directory / "output").read_text("utf-8", "replace")),
        summary=(directory / "summary").read_text("utf-8", "replace"),
        seconds=time.monotonic() - started,
        left=tuple(left),
        pages=tuple(pages),
    )


def survivors() -> list[str]:
    """What still runs below this process a while after all should have ended; it is killed."""
    ends = time.monotonic() + GONE_S
    while (found := descendants(os.getpid())) and time.monotonic() < ends:
        for pid in found:
            with suppress(ChildProcessError):  # no child of ours: its parent is still there
                os.waitpid(pid, os.WNOHANG)
        time.sleep(0.01)
    named = [f"{pid} {_command(pid)}" for pid in found]
    for pid in found:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return named


def containers(pid: int) -> list[str]:
    """The containers that the process ``pid`` made and that are there a while after it has ended."""
    ends = time.monotonic() + GONE_S
    command = ["docker", "ps", "--all", "--format", "{{.ID}} {{.Label " + f'"{OWNER_LABEL}"' + "}}"]
    while True:
        shown = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
        # An owner is MACHINE/PID/START, and a number is not used again so soon.
        found = [line.split()[0] for line in shown if f"/{pid}/" in line]
        if not found or time.monotonic() > ends:
            return found
        time.sleep(0.1)


def descendants(of: int) -> list[int]:
    """The processes below ``of``, nearest first."""
    parents: dict[int, int] = {}
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError):
            stat = (process / "stat").read_text("utf-8", "replace")
            parents[int(process.name)] = int(stat.rsplit(")", 1)[1].split()[1])
    found = [of]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found[1:]


def _command(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text("utf-8", "replace").replace("\0", " ")[:200]
    return "?"


@contextmanager
def small_disk(at: Path, kib: int) -> Iterator[None]:
    """A disk of ``kib`` KiB at ``at``; it takes root.

    Raises:
        OSError: it cannot be mounted.
    """
    command = ["mount", "-t", "tmpfs", "-o", f"size={kib}k", "tmpfs", str(at)]
    if subprocess.run(command, check=False, capture_output=True).returncode:
        raise OSError(f"cannot mount a small disk at {at}: it takes root")
    try:
        yield
    finally:
        subprocess.run(["umount", str(at)], check=True)
