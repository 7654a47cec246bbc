"""Attacks on privileges: other users, capabilities, namespaces, rarely used system calls."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import time
from typing import Any, Callable, Dict, List, Tuple

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


def identity(argument: Dict[str, Any]) -> Dict[str, Any]:
    """Be root, or become it."""
    breaches = []
    if 0 in os.getresuid() + os.getresgid():
        breaches.append("it runs as uid %s, gid %s" % (os.getresuid(), os.getresgid()))
    elif 0 in os.getgroups():
        breaches.append("it is a member of root's group")
    else:
        attempts: List[Tuple[str, Callable[[], None]]] = [
            ("setuid", lambda: os.setuid(0)),
            ("setgid", lambda: os.setgid(0)),
            ("setgroups", lambda: os.setgroups([0])),
        ]
        for title, call in attempts:
            try:
                call()
                breaches.append(title + " succeeded")
            except OSError:
                pass
    return {"tried": ["uid %d" % os.getuid(), "setuid", "setgid", "setgroups"], "breaches": breaches}


def capabilities(argument: Dict[str, Any]) -> Dict[str, Any]:
    """Hold a capability, or be able to gain one through a set-user-id program."""
    status = _status()
    names = ("CapInh", "CapPrm", "CapEff", "CapAmb") + (("CapBnd",) if argument["bounded"] else ())
    breaches = ["%s is %s" % (name, status[name]) for name in names if int(status[name], 16)]
    if status.get("NoNewPrivs") != "1":
        breaches.append("set-user-id programs gain privileges (NoNewPrivs is not set)")
    return {"tried": list(names) + ["NoNewPrivs"], "breaches": breaches}


def namespaces(argument: Dict[str, Any]) -> Dict[str, Any]:
    """Make a namespace, enter another's, mount, change root."""
    libc = _libc()
    breaches: List[str] = []
    for title, flag in NAMESPACES.items():
        pid = os.fork()
        if pid == 0:
            os._exit(0 if libc.unshare(flag) == 0 else 1)
        if os.waitpid(pid, 0)[1] == 0:
            breaches.append("made a %s namespace" % title)
    if libc.mount(b"none", os.getcwdb(), b"tmpfs", 0, None) == 0:
        libc.umount2(os.getcwdb(), MNT_DETACH)
        breaches.append("mounted a file system")
    pid = os.fork()
    if pid == 0:
        os._exit(0 if libc.chroot(b"/") == 0 else 1)
    if os.waitpid(pid, 0)[1] == 0:
        breaches.append("changed its root")
    tried = ["unshare " + title for title in NAMESPACES] + ["mount", "chroot"]
    return {"tried": tried, "breaches": breaches}


def system_calls(argument: Dict[str, Any]) -> Dict[str, Any]:
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
    return {"tried": ["Seccomp"] + list(numbers), "breaches": breaches}


def clock(argument: Dict[str, Any]) -> Dict[str, Any]:
    """Find another time zone, locale or hash seed than the fixed ones; set the clock (to what it is)."""
    breaches = []
    for name, value in argument["variables"].items():
        if os.environ.get(name) != value:
            breaches.append("%s is %r" % (name, os.environ.get(name)))
    if time.localtime(0).tm_hour != 0 or time.strftime("%Z") != "UTC":
        breaches.append("the time zone is " + time.strftime("%Z"))
    encoding = __import__("sys").getfilesystemencoding()
    if encoding != "utf-8":
        breaches.append("file names are in " + encoding)
    try:
        time.clock_settime(time.CLOCK_REALTIME, time.clock_gettime(time.CLOCK_REALTIME))
        breaches.append("it can set the machine's clock")
    except OSError:
        pass
    return {"tried": sorted(argument["variables"]) + ["time zone", "clock_settime"], "breaches": breaches}


def environment(argument: Dict[str, Any]) -> Dict[str, Any]:
    """Look for the caller's variables: here, and in every process that can be seen."""
    breaches = ["the variable " + name for name in os.environ if name in argument["names"]]
    secret = argument["secret"].encode()
    breaches += ["a variable with the value of one" for value in os.environb.values() if secret in value]
    looked = 0
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open("/proc/%s/environ" % entry, "rb") as handle:
                    looked += 1
                    if secret in handle.read():
                        breaches.append("process %s shows its environment" % entry)
            except OSError:
                pass
    return {"tried": ["own variables", "those of %d processes" % looked], "breaches": breaches[:10]}
