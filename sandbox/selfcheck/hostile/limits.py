"""Bombs: each stops by itself a little above the limit that should have stopped it."""

from __future__ import annotations

import errno
import mmap
import os
import resource
import signal
import sys
import time
from typing import Any, List, Set

from .attempts import Report, allowed, content, opened, processes

MIB = 1024 * 1024
WAIT_S = 10.0
BURNING = 24
DYING_S = 0.5  # what was killed may take a moment to be gone


def forks(limit: int) -> Report:
    """Fork until it is refused, or well beyond ``limit``."""
    children: List[int] = []
    refused = "not refused"
    for _ in range(limit * 2):
        try:
            pid = os.fork()
        except OSError as error:
            refused = str(error.strerror)
            break
        if pid == 0:
            time.sleep(60)
            os._exit(0)
        children.append(pid)
    _end(set(children))
    breaches = [] if len(children) <= limit else ["%d processes at once" % len(children)]
    return ["%d processes: %s" % (len(children), refused)], breaches


def memory(limit_mib: int) -> Report:
    """Hold more than ``limit_mib`` in one process."""
    size = limit_mib + limit_mib // 4
    try:
        _fill(size)
    except (MemoryError, OSError):
        return ["%d MiB in one process: refused" % size], []
    return ["memory"], ["one process holds %d MiB" % size]


def _fill(size_mib: int) -> mmap.mmap:
    block = mmap.mmap(-1, size_mib * MIB)
    chunk = b"x" * MIB
    for _ in range(size_mib):
        block.write(chunk)
    return block


def memory_of_many(limit_mib: int) -> Report:
    """Hold more than ``limit_mib`` in several processes, each well below it."""
    share = limit_mib // 3
    ready_read, ready_write = os.pipe()
    os.set_blocking(ready_read, False)
    alive: Set[int] = set()
    for _ in range(5):
        pid = os.fork()
        if pid == 0:
            try:
                block = _fill(share)
                os.write(ready_write, b"%10d" % os.getpid())
                time.sleep(60)
                del block
            finally:
                os._exit(1)
        alive.add(pid)
    ready: Set[int] = set()
    deadline = time.monotonic() + WAIT_S
    while not alive <= ready and time.monotonic() < deadline:
        alive -= _ended(alive)
        try:
            said = os.read(ready_read, 1000)
            ready |= {int(said[start : start + 10]) for start in range(0, len(said), 10)}
        except BlockingIOError:
            time.sleep(0.005)
    holding = len((alive - _ended(alive)) & ready)
    _end(alive)
    total = holding * share
    breaches = []
    if total > limit_mib + share:
        breaches.append("%d processes hold %d MiB together" % (holding, total))
    return ["5 processes of %d MiB: %d stood" % (share, holding)], breaches


def _ended(pids: Set[int]) -> Set[int]:
    return {pid for pid in pids if os.waitpid(pid, os.WNOHANG)[0] == pid}


def _end(pids: Set[int]) -> None:
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        except (ChildProcessError, ProcessLookupError):
            pass


def open_files(limit: int) -> Report:
    """Open more than ``limit`` files."""
    opened: List[int] = []
    try:
        while len(opened) < limit * 2:
            opened.append(os.open(os.devnull, os.O_RDONLY))
    except OSError:
        pass
    count = len(opened)
    for descriptor in opened:
        os.close(descriptor)
    return ["%d files, then refused" % count], ["%d open files" % count] if count >= limit else []


def disk(directories: List[str], limit_mib: int, file_mib: int) -> Report:
    """Write more than ``limit_mib`` into each of ``directories``, in files of at most ``file_mib``."""
    tried, breaches = [], []
    for directory in directories:
        if not os.access(directory, os.W_OK):
            continue
        written, names = _flood(directory, limit_mib + limit_mib // 4, file_mib)
        for name in names:
            os.remove(name)
        tried.append("%s took %d MiB" % (directory, written))
        if written > limit_mib:
            breaches.append(tried[-1])
    return tried, breaches


def _flood(directory: str, total_mib: int, file_mib: int) -> Any:
    chunk = b"x" * MIB
    written = 0
    names: List[str] = []
    while written < total_mib:
        names.append(os.path.join(directory, ".regreen-flood-%d-%d" % (os.getpid(), len(names))))
        try:
            with open(names[-1], "wb", buffering=0) as handle:
                for _ in range(min(file_mib, total_mib - written)):
                    if handle.write(chunk) < MIB:
                        return written, names
                    written += 1
        except OSError as error:
            if error.errno != errno.EFBIG:
                return written, [name for name in names if os.path.exists(name)]
    return written, names


def file_size(limit_mib: int) -> Report:
    """Make one file larger than ``limit_mib``, without filling it."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    size = limit_mib + 1
    try:
        with open("large", "wb") as handle:
            os.ftruncate(handle.fileno(), size * MIB)
    except OSError:
        return ["a file of %d MiB: refused" % size], []
    finally:
        if os.path.exists("large"):
            os.remove("large")
    return ["file size"], ["one file of %d MiB" % size]


def processor(limit: float, seconds: float) -> Report:
    """Burn processor time for ``seconds``, in many processes: on a busy machine few would get too little."""
    start = time.monotonic()
    end = start + seconds
    pids = set()
    for _ in range(BURNING):
        pid = os.fork()
        if pid == 0:
            while time.monotonic() < end:
                pass
            os._exit(0)
        pids.add(pid)
    for pid in pids:
        os.waitpid(pid, 0)
    used = os.times()
    # Where the quota is spent, or others are busy, the last of them sees the end late: the whole time counts.
    took = time.monotonic() - start
    cpus = (used.children_user + used.children_system) / took
    text = "%d processes used %.2f processors" % (BURNING, cpus)
    # A quota is given ten times a second, to each processor in slices: one more than fits may come on top.
    slack = limit * (0.1 / took + 0.2) + 0.001 * (os.cpu_count() or 1)
    return [text], [text] if cpus > limit + slack else []


def core_dump() -> Report:
    """Leave a core dump behind."""
    soft, hard = resource.getrlimit(resource.RLIMIT_CORE)
    return ["RLIMIT_CORE"], ["a core dump may be %s bytes long" % hard] if soft or hard else []


def daemon(marker: str, stay_s: float) -> Report:
    """Leave processes behind that call themselves ``marker``: children, grandchildren, a daemon."""
    ready_read, ready_write = os.pipe()
    os.set_inheritable(ready_write, True)
    # Reported by the program itself: from then on its command line carries the marker.
    code = "import os, time; os.write(%d, b'x'); os.close(%d); time.sleep(300)" % (ready_write, ready_write)
    command = [sys.executable, "-I", "-S", "-c", code, marker]
    for generations in (1, 2, 3):
        if os.fork() == 0:
            for _ in range(generations - 1):
                os.setsid() if os.getpid() != os.getsid(0) else None
                if os.fork():
                    os._exit(0)
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            null = os.open(os.devnull, os.O_RDWR)
            for descriptor in (0, 1, 2):
                os.dup2(null, descriptor)
            os.execv(command[0], command)
    said = b""
    while len(said) < 3:
        said += os.read(ready_read, 3)
    sys.stdout.write("left behind\n")
    sys.stdout.flush()
    time.sleep(stay_s)
    return ["a child, a grandchild, a daemon"], []


def survivors(marker: str) -> Report:
    """Find processes that carry ``marker`` on their command line and do not end within a moment."""
    deadline = time.monotonic() + DYING_S
    found = _carrying(marker)
    while found and time.monotonic() < deadline:
        time.sleep(0.01)
        found = _carrying(marker)
    return ["command lines in /proc"], ["process %s lives on" % pid for pid in found]


def _carrying(marker: str) -> List[str]:
    others = (pid for pid in processes() if int(pid) != os.getpid())
    # The supervisor's own command line may quote it within a longer word.
    return [pid for pid in others if marker.encode() in content("/proc/%s/cmdline" % pid).split(b"\0")]


def streams() -> Report:
    """Read the standard input, and find a terminal."""
    breaches = []
    if os.read(0, 1):
        breaches.append("the standard input has something to read")
    if any(os.isatty(descriptor) for descriptor in range(3)):
        breaches.append("a standard stream is a terminal")
    if allowed(opened, "/dev/tty", os.O_RDWR):
        breaches.append("it has a controlling terminal")
    return ["standard input", "/dev/tty"], breaches
