"""Attacks on privileges: other users, capabilities, namespaces, rarely used system calls."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import sys
import time
from typing import Any, Callable, Dict, List, Tuple

from .attempts import Report, allowed, content, in_a_child, processes

NAMESPACES = {
    "user": 0x10000000,
    "mount": 0x00020000,
    "network": 0x40000000,
    "process": 0x20000000,
    "IPC": 0x08000000,
    "host name": 0x04000000,
}
# By machine: the numbers of calls that ordinary programs never make (Linux, unistd.h of each machine).
CALLS = {
    "x86_64": {
        "keyctl": 250,
        "add_key": 248,
        "bpf": 321,
        "perf_event_open": 298,
        "userfaultfd": 323,
        "ptrace": 101,
    },
    "aarch64": {
        "keyctl": 219,
        "add_key": 217,
        "bpf": 280,
        "perf_event_open": 241,
        "userfaultfd": 282,
        "ptrace": 117,
    },
}
FIRST_ARGUMENTS = {"ptrace": 16}  # to attach to nobody; 0 would let the parent trace this process
IO_URING_SETUP = 425  # the same number on every machine
MNT_DETACH = 2


def _libc() -> Any:
    return ctypes.CDLL(None, use_errno=True)


def _status() -> Dict[str, str]:
    with open("/proc/self/status") as handle:
        pairs = (line.split(":", 1) for line in handle)
        return {name: value.strip() for name, value in pairs}


def identity() -> Report:
    """Be root, or become it."""
    breaches = []
    if 0 in os.getresuid() + os.getresgid():
        breaches.append("it runs as uid %s, gid %s" % (os.getresuid(), os.getresgid()))
    elif 0 in os.getgroups():
        breaches.append("it is a member of root's group")
    else:
        attempts: List[Tuple[Callable[[Any], None], Any]] = [
            *((os.setuid, 0), (os.setgid, 0), (os.setgroups, [0])),
        ]
        breaches += [call.__name__ + " succeeded" for call, value in attempts if allowed(call, value)]
    return ["uid %d" % os.getuid(), "setuid", "setgid", "setgroups"], breaches


def capabilities(*, bounded: bool) -> Report:
    """Hold a capability, or be able to gain one through a set-user-id program."""
    status = _status()
    names = ("CapInh", "CapPrm", "CapEff", "CapAmb") + (("CapBnd",) if bounded else ())
    breaches = ["%s is %s" % (name, status[name]) for name in names if int(status[name], 16)]
    if status.get("NoNewPrivs") != "1":
        breaches.append("set-user-id programs gain privileges (NoNewPrivs is not set)")
    return list(names) + ["NoNewPrivs"], breaches


def namespaces() -> Report:
    """Make a namespace, enter another's, mount, change root."""
    libc = _libc()
    breaches = [
        "made a %s namespace" % title
        for title, flag in NAMESPACES.items()
        if in_a_child(lambda flag=flag: libc.unshare(flag) == 0)  # type: ignore[misc]
    ]
    if libc.mount(b"none", os.getcwdb(), b"tmpfs", 0, None) == 0:
        libc.umount2(os.getcwdb(), MNT_DETACH)
        breaches.append("mounted a file system")
    if in_a_child(lambda: libc.chroot(b"/") == 0):
        breaches.append("changed its root")
    return ["unshare " + title for title in NAMESPACES] + ["mount", "chroot"], breaches


def system_calls() -> Report:
    """Reach the kernel's less guarded corners, with arguments that can do nothing."""
    libc = _libc()
    numbers = dict(CALLS.get(platform.machine(), {}), io_uring_setup=IO_URING_SETUP)
    breaches = []
    if _status().get("Seccomp", "0") != "2":
        breaches.append("no system call filter")
    for name, number in numbers.items():
        ctypes.set_errno(0)
        result = libc.syscall(number, FIRST_ARGUMENTS.get(name, 0), 0, 0, 0, 0)
        if result >= 0 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS, errno.EACCES):
            breaches.append("%s is open" % name)
        if result > 2 and name == "userfaultfd":
            os.close(result)
    return ["Seccomp"] + list(numbers), breaches


def clock(variables: Dict[str, str]) -> Report:
    """Find another time zone, locale or hash seed than the fixed ones; set the clock (to what it is)."""
    seen = {name: os.environ.get(name) for name in variables}
    breaches = ["%s is %r" % (name, seen[name]) for name, value in variables.items() if seen[name] != value]
    if time.localtime(0).tm_hour != 0 or time.strftime("%Z") != "UTC":
        breaches.append("the time zone is " + time.strftime("%Z"))
    if sys.getfilesystemencoding() != "utf-8":
        breaches.append("file names are in " + sys.getfilesystemencoding())
    if allowed(time.clock_settime, time.CLOCK_REALTIME, time.clock_gettime(time.CLOCK_REALTIME)):
        breaches.append("it can set the machine's clock")
    return sorted(variables) + ["time zone", "clock_settime"], breaches


def environment(names: List[str], secret: str) -> Report:
    """Look for the caller's variables: here, and in every process that can be seen."""
    wanted = secret.encode()
    breaches = ["the variable " + name for name in os.environ if name in names]
    breaches += ["a variable with the value of one" for value in os.environb.values() if wanted in value]
    shown = {pid: content("/proc/%s/environ" % pid) for pid in processes()}
    breaches += ["process %s shows its environment" % pid for pid, held in shown.items() if wanted in held]
    return ["own variables", "those of %d processes" % len(shown)], breaches[:10]
