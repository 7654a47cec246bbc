"""Child processes of the runner: limits, supervision with a deadline, and an end for every descendant.

The runner is process 1 of its namespace wherever the provider allows it; then nothing inside can signal
it, and one kill(-1) reaches whatever a test left behind, however often it forked.
"""

from __future__ import annotations

import ctypes
import os
import resource
import select
import signal
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Collection, Dict, Iterable, Optional


PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 4, 36
HEARTBEAT_S = 1.0
UNDER_WAY = -1  # in the place of a wait status: it was not waited for
try:
    LIBC: Any = ctypes.PyDLL(None)
except OSError:
    LIBC = None


def prctl(option: int, value: int) -> None:
    """Linux's prctl; silently without effect where libc does not offer it."""
    try:
        LIBC.prctl(option, value, 0, 0, 0)
    except AttributeError:
        pass


def fork_bare() -> int:
    """``fork`` without what CPython runs around it: for a process with one thread.

    Those steps renew locks, which nobody else can hold then, and the seed of ``random``. They take as
    long as the fork itself, since each page that they touch has to be copied.
    """
    pid = LIBC.fork() if LIBC is not None else os.fork()
    if pid < 0:
        raise OSError("fork failed")
    return int(pid)


def protect_supervisor() -> None:
    """Keep the runner's memory and descriptors out of its children's reach; adopt orphans."""
    prctl(PR_SET_DUMPABLE, 0)
    prctl(PR_SET_CHILD_SUBREAPER, 1)


def become_child(limits: Dict[str, int], keep: Iterable[int]) -> None:
    """First steps of a process that shall run foreign code: own session, limits, no other descriptor."""
    os.setsid()
    prctl(PR_SET_DUMPABLE, 1)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    kept = set(keep)
    for name in os.listdir("/proc/self/fd"):
        fd = int(name)
        if fd > 2 and fd not in kept:
            try:
                os.close(fd)
            except OSError:
                pass  # the descriptor of the listing itself
    set_limits(limits)
    try:
        # What is in files in memory counts for nobody: else the kernel would end the supervisor for it.
        with open("/proc/self/oom_score_adj", "w") as handle:
            handle.write("1000")
    except OSError:
        pass  # a read-only /proc


def stay_on(processors: Iterable[int]) -> None:
    """Use these processors alone, as all that is forked from now on does."""
    try:
        os.sched_setaffinity(0, processors)
    except OSError:
        pass  # it is slower, no more


def set_limits(limits: Dict[str, int]) -> None:
    """Apply resource limits by their RLIMIT name; a limit above the hard one is lowered to it."""
    for name, wanted in limits.items():
        kind = getattr(resource, "RLIMIT_" + name)
        hard = resource.getrlimit(kind)[1]
        value = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(kind, (value, value))


class Child:
    """A process forked by this one; ``end_fd`` becomes readable when it ends, where the system has that."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.end_fd = _end_descriptor(pid)
        self._status: Optional[int] = None

    def status(self) -> Optional[int]:
        """Its wait status; None while it runs."""
        if self._status is None:
            self._status = _reap(self.pid, block=False)
        return self._status

    def end(self) -> None:
        """Kill it and every other descendant of this process."""
        if self._status is None:
            _kill(self.pid)
            self._status = _reap(self.pid, block=True)
        end_descendants()
        if self.end_fd is not None:
            os.close(self.end_fd)
            self.end_fd = None


def supervise(
    child: Any,
    sinks: Dict[int, Callable[[bytes], None]],
    deadline: Callable[[], float],
    heartbeat: Callable[[], None],
    enough: Callable[[], bool] = lambda: False,
) -> Optional[int]:
    """Feed ``sinks`` from their descriptors until the child ends; returns its wait status.

    ``child`` is a ``Child`` or behaves like one. ``deadline`` gives the moment (``time.monotonic``) at
    which the child is killed; it is asked again all the time, since it may move. Returns None when the
    deadline passed. The child is ended, and what it wrote is read, when this returns: unless what was
    read is ``enough`` before the child ended; then this returns UNDER_WAY, and is to be called again.
    """
    poll = select.poll()
    for fd in sinks:
        os.set_blocking(fd, False)
        poll.register(fd, select.POLLIN | select.POLLHUP)
    if child.end_fd is not None:
        poll.register(child.end_fd, select.POLLIN | select.POLLHUP)
    status: Optional[int] = None
    is_open = set(sinks)
    next_beat = time.monotonic() + HEARTBEAT_S
    try:
        while status is None:
            if enough():
                status = UNDER_WAY
                break
            now = time.monotonic()
            if now >= next_beat:
                heartbeat()
                next_beat = now + HEARTBEAT_S
            # Without a descriptor for it, only the end of the pipes shows the end of the child.
            pause = 0.25 if is_open or child.end_fd is not None else 0.001
            remaining = min(deadline(), next_beat, now + pause) - now
            ready = {fd for fd, _event in poll.poll(max(0, remaining) * 1000)}
            for fd in ready & is_open:
                if not drain_once(fd, sinks[fd]):
                    poll.unregister(fd)
                    is_open.discard(fd)
            if child.end_fd is None or child.end_fd in ready:
                status = child.status()
            if status is None and time.monotonic() >= deadline():
                break
    finally:
        if status != UNDER_WAY:
            child.end()
            _drain({fd: sinks[fd] for fd in is_open})
    return status


def _end_descriptor(pid: int) -> Optional[int]:
    """A descriptor that becomes readable when ``pid`` ends; None before CPython 3.9 or Linux 5.3."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


def _drain(sinks: Dict[int, Callable[[bytes], None]]) -> None:
    for fd, sink in sinks.items():
        while drain_once(fd, sink, stop_when_empty=True):
            pass


def drain_once(fd: int, sink: Callable[[bytes], None], stop_when_empty: bool = False) -> bool:
    """Feed one chunk; False at the end of the stream (or when nothing waits, if asked)."""
    try:
        chunk = os.read(fd, 1 << 16)
    except BlockingIOError:
        return not stop_when_empty
    if chunk:
        sink(chunk)
    return bool(chunk)


def _reap(pid: int, block: bool) -> Optional[int]:
    """Collect dead children; the wait status of ``pid`` if it is among them."""
    flags = 0 if block else os.WNOHANG
    try:
        done, status = os.waitpid(pid, flags)
    except ChildProcessError:
        return 0
    return status if done == pid else None


def end_descendants(spare: Collection[int] = ()) -> None:
    """Kill and reap every descendant but the children ``spare`` and what is below them."""
    if os.getpid() == 1 and not spare:
        _end_all()
        return
    if not has_children():
        return
    # Killing a process hands its children to us, so that each round reaches one generation more.
    for _generation in range(50):
        orphans = [child for child in _children() if child not in spare]
        if not orphans:
            return
        for orphan in orphans:
            _kill(orphan)
            _reap(orphan, block=True)
    if os.getpid() == 1:
        _end_all()  # they fork faster than we look


def _end_all() -> None:
    """As process 1: kill whatever there is, and wait until it is dead."""
    _kill(-1)
    while has_children(block=True):
        pass


def has_children(block: bool = False) -> bool:
    """Whether any child is left alive; dead ones are collected on the way, or waited for."""
    try:
        while os.waitpid(-1, 0 if block else os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def _children() -> "list[int]":
    me = os.getpid()
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open("/proc/%s/stat" % name, "rb") as handle:
                    fields = handle.read().rsplit(b")", 1)[1].split()
            except (OSError, IndexError):
                continue
            if int(fields[1]) == me:
                found.append(int(name))
    return found


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def exit_code(status: Optional[int]) -> Optional[int]:
    """A wait status as a shell shows it: 0-255, or 128 + signal; None for a child that was killed late."""
    if status is None:
        return None
    if os.WIFSIGNALED(status):
        return 128 + os.WTERMSIG(status)
    return os.WEXITSTATUS(status)
