"""Attacks on files: the host's, the kernel's, devices, and places outside of the workspace."""

from __future__ import annotations

import os
import stat
import sys
from typing import Any, Callable, Iterator, List, Tuple

from .attempts import Report, allowed, content, opened

KERNEL_WRITABLE = (
    "/proc/sys/kernel/core_pattern",
    "/proc/sys/kernel/hostname",
    "/proc/sys/kernel/modprobe",
    "/proc/sys/vm/drop_caches",
    "/proc/sys/fs/binfmt_misc/register",
    "/proc/sysrq-trigger",
    "/proc/irq/default_smp_affinity",
    "/proc/mtrr",
    "/proc/acpi/wakeup",
    "/sys/kernel/uevent_helper",
    "/sys/power/state",
    "/sys/fs/cgroup/cgroup.procs",
    "/sys/fs/cgroup/pids/tasks",
)
KERNEL_SECRET = (
    "/proc/kcore",
    "/proc/keys",
    "/proc/timer_list",
    "/proc/sched_debug",
    "/proc/slabinfo",
    "/proc/kpageflags",
    "/proc/kmsg",
    "/proc/1/mem",
    "/sys/firmware/dmi/tables/DMI",
    "/sys/kernel/debug/kprobes/list",
)
HARMLESS_DEVICES = {"null", "zero", "full", "random", "urandom", "tty", "ptmx", "console"}
LOOKED_INTO = 3000


def read_secrets(paths: List[str], forbidden: List[str], known: List[List[str]], secret: str) -> Report:
    """Read ``paths``, directly and through other processes' roots, looking for ``secret``."""
    roots = ["", "/proc/self/root", "/proc/1/root", "/proc/%d/root" % os.getppid()]
    breaches = []
    for path in paths:
        found = [root + path for root in roots if secret.encode() in _content(root + path)]
        breaches += ["read " + place for place in found[:1]]
    breaches += ["read " + path for path in forbidden if _content(path)]
    breaches += [
        "%s is the host's" % path for path, text in known if text and text.encode() in _content(path)
    ]
    return paths + forbidden + [path for path, _ in known], breaches


def _content(path: str) -> bytes:
    try:
        return " ".join(os.listdir(path)).encode("utf-8", "surrogateescape")
    except OSError:  # a file, or what may not be listed
        return content(path, 100000)


def kernel() -> Report:
    """Open the kernel's switches for writing (nothing is written), and its secrets for reading."""
    breaches = [path + " can be written" for path in KERNEL_WRITABLE if allowed(opened, path, os.O_WRONLY)]
    breaches += [path + " can be read" for path in KERNEL_SECRET if _content_starts(path)]
    symbols = content("/proc/kallsyms", 100000).splitlines()
    if any(line.split(b" ", 1)[0].strip(b"0") for line in symbols):
        breaches.append("/proc/kallsyms shows addresses")
    return [*KERNEL_WRITABLE, *KERNEL_SECRET, "/proc/kallsyms"], breaches


def _content_starts(path: str) -> bytes:
    """A first byte; without waiting, since reading the kernel's log would."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return b""
    try:
        return os.read(descriptor, 1)
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def devices() -> Report:
    """Find a device that is not harmless, and make one."""
    breaches = [
        node + " can be opened"
        for node in _nodes()
        if isinstance(node, str)
        and os.path.basename(node) not in HARMLESS_DEVICES
        and os.access(node, os.R_OK)
    ]
    for title, kind, device in (("memory", stat.S_IFCHR, (1, 1)), ("disk", stat.S_IFBLK, (8, 0))):
        if allowed(os.mknod, "made", kind | 0o600, os.makedev(*device)):
            os.remove("made")
            breaches.append("made a %s device" % title)
    return ["/dev", "mknod of memory", "mknod of a disk"], breaches[:10]


def change_devices() -> Report:
    """Change mode, owner and times of every device node, by name and as an open file, to what they are."""
    breaches, tried = [], []
    for node in _nodes():
        status = os.stat(node)
        times = (status.st_atime_ns, status.st_mtime_ns)
        changes: List[Tuple[str, Callable[..., None], Tuple[Any, ...]]] = [
            ("mode", os.chmod, (stat.S_IMODE(status.st_mode),)),
            ("owner", os.chown, (os.getuid(), os.getgid())),
            ("times", lambda node, times: os.utime(node, ns=times), (times,)),
        ]
        tried.append(str(node))
        breaches += [
            "changed the %s of %s" % (title, node)
            for title, change, values in changes
            if allowed(change, node, *values)
        ]
    return tried, breaches[:10]


def _nodes() -> "Iterator[Any]":
    """Device nodes by path, terminals' apart, and the descriptors of open ones."""
    paths = [os.path.join(directory, name) for directory, _, names in os.walk("/dev") for name in names]
    for node in [path for path in paths if not path.startswith(("/dev/pts/", "/dev/fd/"))] + [0, 1, 2]:
        try:
            mode = os.fstat(node).st_mode if isinstance(node, int) else os.lstat(node).st_mode
        except OSError:
            continue
        if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
            yield node


def write_outside(own: List[str]) -> Report:
    """Create a file in every directory that is not the sandbox's ``own``; what was created is removed."""
    inside = tuple(place + "/" for place in [os.path.realpath("."), *own])
    outside = [directory for directory in _directories() if not (directory + "/").startswith(inside)]
    breaches = []
    for directory in outside:
        path = os.path.join(directory, ".regreen-self-check-%d" % os.getpid())
        if allowed(opened, path, os.O_WRONLY | os.O_CREAT | os.O_EXCL):
            os.remove(path)
            breaches.append("wrote into " + directory)
    return ["%d directories" % len(outside)], breaches[:10]


def _directories() -> Iterator[str]:
    starts = ["/"] + [entry for entry in sys.path if os.path.isdir(entry)] + [sys.prefix, sys.exec_prefix]
    seen, queue = set(), [(start, 2) for start in starts + _mount_points()]  # type: ignore[var-annotated]
    while queue and len(seen) < LOOKED_INTO:
        directory, depth = queue.pop(0)
        real = os.path.realpath(directory)
        if real in seen or real.startswith("/proc/") or not os.path.isdir(real):
            continue
        seen.add(real)
        yield real
        if depth:
            try:
                queue += [(entry.path, depth - 1) for entry in os.scandir(real) if entry.is_dir()]
            except OSError:
                pass


def _mount_points() -> List[str]:
    lines = content("/proc/self/mounts").decode("utf-8", "surrogateescape").splitlines()
    return [line.split()[1] for line in lines]


def unlimited_places(limit_mib: int) -> Report:
    """Find a writable place that is larger than ``limit_mib``."""
    tried: List[str] = []
    breaches: List[str] = []
    for point in sorted({*_mount_points(), ".", "/tmp", "/dev/shm", os.path.expanduser("~")}):
        if os.path.isdir(point) and os.access(point, os.W_OK):
            system = os.statvfs(point)
            size = system.f_blocks * system.f_frsize // (1024 * 1024)
            tried.append("%s: %d MiB" % (point, size))
            if size > limit_mib:
                breaches.append("%s may grow to %d MiB" % (point, size))
    return tried, breaches
