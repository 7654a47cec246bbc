"""Control groups for the providers that have no engine to make them: limits on all processes together.

Where the caller may make a group beside its own (as root, or in a subtree that systemd handed over), the
sandbox starts in a new one. Elsewhere there is none, and the limits for each process have to do.
Versions 1 and 2 of the kernel's interface differ in their files; cgroups(7) describes both.
"""

import os
import secrets
import signal
import threading
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from glob import glob
from pathlib import Path

from sandbox import owner
from sandbox.base import MIB, Limits
from sandbox.errors import SandboxError

ROOT = Path("/sys/fs/cgroup")
MEMBERSHIP = Path("/proc/self/cgroup")
CONTROLLERS = ("memory", "pids", "cpu")
PERIOD_US = 100_000
OWN_PROCESSES = 1  # what starts the runner lives in the group as well
REMOVE_TIMEOUT_S = 2.0
# "0" is the process that writes: the shell, before it becomes the program.
_ENTER = 'while [ "$1" != -- ]; do echo 0 > "$1" || exit 125; shift; done; shift; exec "$@"'


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlGroup:
    """The directories of one group: one in version 2, one for each controller in version 1; or none."""

    directories: tuple[Path, ...] = ()

    def enter(self, argv: Sequence[str]) -> list[str]:
        """``argv`` so that it, and with it all that it starts, runs in the group from the beginning."""
        files = [str(directory / "cgroup.procs") for directory in self.directories]
        return ["/bin/sh", "-c", _ENTER, "sh", *files, "--", *argv] if files else list(argv)

    def adopt(self, pids: Collection[int]) -> None:
        """Take in ``pids`` and all that they have started; what they start from now on is in it by itself.

        For the moment after a start, before anything untrusted runs. Moving takes the kernel some ten
        milliseconds, in which the process goes on starting; ``enter`` waits for the one, then the other.

        Raises:
            SandboxError: a process cannot be moved.
        """
        if not self.directories:
            return
        moved: set[int] = set()
        while new := _families(pids) - moved:
            for pid in new:
                self._move(pid)
            moved |= new

    def _move(self, pid: int) -> None:
        for directory in self.directories:
            try:
                (directory / "cgroup.procs").write_text(str(pid), "ascii")
            except ProcessLookupError:
                return  # it has ended
            except OSError as error:
                raise SandboxError(f"cannot move a process into its control group: {error}") from error


def children() -> set[int]:
    """The processes that this thread has started and that are still there."""
    return _children(f"/proc/self/task/{threading.get_native_id()}")


def _families(pids: Collection[int]) -> set[int]:
    """``pids`` with their children, and theirs."""
    found, queue = set(pids), list(pids)
    while queue:
        for task in glob(f"/proc/{queue.pop()}/task/*"):
            new = _children(task) - found
            found |= new
            queue += new
    return found


def _children(task: str) -> set[int]:
    try:
        return set(map(int, Path(task, "children").read_text("ascii").split()))
    except OSError:  # the thread has ended
        return set()


@contextmanager
def limited(limits: Limits) -> Iterator[ControlGroup]:
    """A new group with ``limits``; one without directories, and without effect, where none can be made.

    Raises:
        SandboxError: groups can be made here, but this one could not.
    """
    if not available():
        yield ControlGroup()
        return
    try:
        group = make(parents(), limits)
    except OSError as error:
        raise SandboxError(f"cannot make a control group: {error}") from error
    try:
        yield group
    finally:
        remove(group)


@cache
def available() -> bool:
    """Whether groups with limits on memory, processes and processor time can be made here; tried once."""
    found = parents()
    with suppress(OSError):
        if found and Path(f"/proc/self/task/{threading.get_native_id()}/children").exists():
            remove(make(found, Limits()))
            return True
    return False


def sweep() -> int:
    """Remove the groups that dead runs left; returns how many directories."""
    found = [directory for parent in parents() for directory in parent.glob(f"{owner.PREFIX}*")]
    left = tuple(directory for directory in found if owner.left_by_the_dead(directory.name))
    for directory in left:
        remove(ControlGroup(directories=(directory,)))
    return len(left)


def parents(root: Path = ROOT, membership: Path = MEMBERSHIP) -> tuple[Path, ...]:
    """The directories below which a group may be made: one for each controller in version 1, else one."""
    try:
        lines = [line.split(":", 2) for line in membership.read_text("utf-8").splitlines()]
    except OSError:
        return ()
    if (root / "cgroup.controllers").is_file():
        own = next((path for number, _, path in lines if number == "0"), "/")
        return _unified_parent(root, own)
    paths = {name: path for _, names, path in lines for name in names.split(",")}
    found = [root / name / paths[name].lstrip("/") for name in CONTROLLERS if name in paths]
    writable = all(os.access(directory, os.W_OK) for directory in found)
    return tuple(found) if writable and len(found) == len(CONTROLLERS) else ()


def _unified_parent(root: Path, own: str) -> tuple[Path, ...]:
    """The nearest group above ours that hands its controllers down and that we may move processes in."""
    directory = root / own.lstrip("/")
    for candidate in (directory, *directory.parents):
        try:
            handed_down = (candidate / "cgroup.subtree_control").read_text("ascii").split()
        except OSError:
            handed_down = []
        writable = os.access(candidate, os.W_OK) and os.access(candidate / "cgroup.procs", os.W_OK)
        if writable and set(CONTROLLERS) <= set(handed_down):
            return (candidate,)
        if candidate == root:
            break
    return ()


def make(above: Sequence[Path], limits: Limits) -> ControlGroup:
    """A group below each of ``above``; nothing is left where one cannot be made.

    Raises:
        OSError: a directory cannot be made, or a limit not be set.
    """
    name = f"{owner.mark()}{secrets.token_hex(4)}"
    made: list[Path] = []
    try:
        for parent in above:
            (parent / name).mkdir()
            made.append(parent / name)
            _set(made[-1], limits)
    except OSError:
        remove(ControlGroup(directories=tuple(made)))
        raise
    return ControlGroup(directories=tuple(made))


def _set(directory: Path, limits: Limits) -> None:
    memory, quota = limits.memory_mib * MIB, int(limits.cpus * PERIOD_US)
    # In this order: a limit on memory and swap together may not be below the one on memory.
    values: Mapping[str, object] = {
        "memory.limit_in_bytes": memory,
        "memory.memsw.limit_in_bytes": memory,
        "memory.max": memory,
        "memory.swap.max": 0,
        "pids.max": limits.processes + OWN_PROCESSES,
        "cpu.cfs_period_us": PERIOD_US,
        "cpu.cfs_quota_us": quota,
        "cpu.max": f"{quota} {PERIOD_US}",
    }
    for file, value in values.items():
        if (directory / file).exists():
            (directory / file).write_text(str(value), "ascii")


def remove(group: ControlGroup) -> None:
    """End what still runs in the group, and remove it. A sweep finds what is left all the same."""
    deadline = time.monotonic() + REMOVE_TIMEOUT_S
    for directory in group.directories:
        while not _removed(directory) and time.monotonic() < deadline:
            _kill_all(directory)
            time.sleep(0.002)  # the kernel does not report when the last process is gone


def _removed(directory: Path) -> bool:
    with suppress(OSError):
        directory.rmdir()
    return not directory.exists()


def _kill_all(directory: Path) -> None:
    with suppress(OSError):
        for pid in (directory / "cgroup.procs").read_text("ascii").split():
            if pid != "0":  # a process that our namespace has no number for: 0 would mean our own group
                os.kill(int(pid), signal.SIGKILL)
