"""Attacks on files: the host's, the kernel's, devices, and places outside of the workspace."""

from __future__ import annotations

import os
import stat
import sys
from typing import Any, Callable, Dict, Iterator, List, Tuple

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


def read_secrets(argument: Dict[str, Any]) -> Dict[str, Any]:
    """Read ``paths``, directly and through other processes' roots, looking for ``secret``."""
    secret = argument["secret"].encode()
    roots = ["", "/proc/self/root", "/proc/1/root", "/proc/%d/root" % os.getppid()]
    tried, breaches = [], []
    for path in argument["paths"]:
        tried.append(path)
        for root in roots:
            if secret in _content(root + path):
                breaches.append("read " + root + path)
                break
    for path in argument["forbidden"]:
        tried.append(path)
        if _content(path):
            breaches.append("read " + path)
    for path, known in argument["known"]:
        tried.append(path)
        if known and known.encode() in _content(path):
            breaches.append("%s is the host's" % path)
    return {"tried": tried, "breaches": breaches}


def _content(path: str) -> bytes:
    try:
        if os.path.isdir(path):
            return " ".join(os.listdir(path)).encode("utf-8", "surrogateescape")
        with open(path, "rb") as handle:
            return handle.read(100000)
    except OSError:
        return b""


def kernel(argument: Dict[str, Any]) -> Dict[str, Any]:
    """Open the kernel's switches for writing (nothing is written), and its secrets for reading."""
    breaches = []
    for path in KERNEL_WRITABLE:
        try:
            os.close(os.open(path, os.O_WRONLY))
            breaches.append(path + " can be written")
        except OSError:
            pass
    for path in KERNEL_SECRET:
        if _content_starts(path):
            breaches.append(path + " can be read")
    if any(line.split(b" ", 1)[0].strip(b"0") for line in _content("/proc/kallsyms").splitlines()):
        breaches.append("/proc/kallsyms shows addresses")
    return {"tried": list(KERNEL_WRITABLE + KERNEL_SECRET) + ["/proc/kallsyms"], "breaches": breaches}


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


def devices(argument: Dict[str, Any]) -> Dict[str, Any]:
    """Find a device that is not harmless, and make one."""
    breaches = []
    for directory, _, names in os.walk("/dev"):
        if directory.startswith(("/dev/pts", "/dev/fd")):
            continue
        for name in names:
            path = os.path.join(directory, name)
            try:
                mode = os.lstat(path).st_mode
            except OSError:
                continue
            special = stat.S_ISBLK(mode) or stat.S_ISCHR(mode)
            if special and name not in HARMLESS_DEVICES and os.access(path, os.R_OK):
                breaches.append(path + " can be opened")
    for title, kind, device in (("memory", stat.S_IFCHR, (1, 1)), ("disk", stat.S_IFBLK, (8, 0))):
        try:
            os.mknod("made", kind | 0o600, os.makedev(*device))
            os.remove("made")
            breaches.append("made a %s device" % title)
        except OSError:
            pass
    return {"tried": ["/dev", "mknod of memory", "mknod of a disk"], "breaches": breaches[:10]}


def change_devices(argument: Dict[str, Any]) -> Dict[str, Any]:
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
        for title, change, values in changes:
            try:
                change(node, *values)
                breaches.append("changed the %s of %s" % (title, node))
            except OSError:
                pass
    return {"tried": tried, "breaches": breaches[:10]}


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


def write_outside(argument: Dict[str, Any]) -> Dict[str, Any]:
    """Create a file in every directory that is not the sandbox's own; what was created is removed."""
    allowed = [os.path.realpath(".")] + argument["allowed"]
    tried, breaches = 0, []
    for directory in _directories():
        if any(directory == own or directory.startswith(own + "/") for own in allowed):
            continue
        tried += 1
        path = os.path.join(directory, ".regreen-self-check-%d" % os.getpid())
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError:
            continue
        os.close(descriptor)
        os.remove(path)
        breaches.append("wrote into " + directory)
    return {"tried": ["%d directories" % tried], "breaches": breaches[:10]}


def _directories() -> Iterator[str]:
    starts = ["/"] + [entry for entry in sys.path if os.path.isdir(entry)] + [sys.prefix, sys.exec_prefix]
    try:
        with open("/proc/self/mounts") as handle:
            starts += [line.split()[1] for line in handle]
    except OSError:
        pass
    seen, queue = set(), [(start, 2) for start in starts]  # type: ignore[var-annotated]
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


def unlimited_places(argument: Dict[str, Any]) -> Dict[str, Any]:
    """Find a writable place that is larger than ``limit_mib``."""
    tried: List[str] = []
    breaches: List[str] = []
    with open("/proc/self/mounts") as handle:
        points = {line.split()[1] for line in handle} | {".", "/tmp", "/dev/shm", os.path.expanduser("~")}
    for point in sorted(points):
        if os.path.isdir(point) and os.access(point, os.W_OK):
            system = os.statvfs(point)
            size = system.f_blocks * system.f_frsize // (1024 * 1024)
            tried.append("%s: %d MiB" % (point, size))
            if size > argument["limit_mib"]:
                breaches.append("%s may grow to %d MiB" % (point, size))
    return {"tried": tried, "breaches": breaches}
