"""Attacks on the runner that supervises the code, and on the host's processes."""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import struct
import time
from typing import Any, Callable, Dict, List, Tuple

PTRACE_ATTACH, PTRACE_DETACH, PTRACE_SEIZE = 16, 17, 0x4206
IO_PRIORITY = {"x86_64": (251, 252), "aarch64": (30, 31)}  # ioprio_set, ioprio_get
PIDFD_OPEN, PIDFD_GETFD = 434, 438  # the same numbers on every machine


def signals(argument: Dict[str, Any]) -> Dict[str, Any]:
    """Send ``signals`` to the supervisor; whether it stood it, the host finds out."""
    supervisor = os.getppid()
    for name in argument["signals"]:
        try:
            os.kill(supervisor, getattr(signal, name))
        except OSError:
            pass
    time.sleep(0.05)
    gone = os.getppid() != supervisor or _state(supervisor) in ("", "Z", "T", "t")
    breaches = ["the supervisor did not survive"] if gone else []
    return {"tried": list(argument["signals"]), "breaches": breaches}


def _state(pid: int) -> str:
    try:
        with open("/proc/%d/stat" % pid) as handle:
            return handle.read().rsplit(")", 1)[1].split()[0]
    except OSError:
        return ""


def memory(argument: Dict[str, Any]) -> Dict[str, Any]:
    """Trace the supervisor, read its memory, its variables, what it opened."""
    supervisor = os.getppid()
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    libc.ptrace.restype = ctypes.c_long
    breaches = []
    for title, request in (("attach", PTRACE_ATTACH), ("seize", PTRACE_SEIZE)):
        if libc.ptrace(request, supervisor, None, None) == 0:
            os.waitpid(supervisor, 0x40000000) if request == PTRACE_ATTACH else None  # __WALL
            libc.ptrace(PTRACE_DETACH, supervisor, None, None)
            breaches.append("traced the supervisor (%s)" % title)
            break
    for name in ("mem", "environ", "maps", "io", "auxv", "syscall"):
        try:
            with open("/proc/%d/%s" % (supervisor, name), "rb") as handle:
                if name != "mem":
                    handle.read(1)
            breaches.append("opened the supervisor's " + name)
        except OSError:
            pass
    if _read_memory(libc, supervisor):
        breaches.append("process_vm_readv of the supervisor")
    tried = [
        "ptrace attach",
        "ptrace seize",
        "/proc/PID/{mem,environ,maps,io,auxv,syscall}",
        "process_vm_readv",
    ]
    return {"tried": tried, "breaches": breaches}


def _read_memory(libc: Any, pid: int) -> bool:
    # A forked child's objects lie where its parent's do; any refusal but "no such address" will do.
    buffer = ctypes.create_string_buffer(8)
    vector = struct.pack("@PN", ctypes.addressof(buffer), 8)
    remote = struct.pack("@PN", id(vector), 8)
    ctypes.set_errno(0)
    done = libc.process_vm_readv(pid, vector, 1, remote, 1, 0)
    return bool(done >= 0 or ctypes.get_errno() == 14)


def priority(argument: Dict[str, Any]) -> Dict[str, Any]:
    """Decide when and where the supervisor runs. Everything is set to what it is already."""
    supervisor = os.getppid()
    breaches = []
    for title, change in _ways_to_slow(supervisor):
        try:
            change()
            breaches.append("set the supervisor's " + title)
        except OSError:
            pass
    return {"tried": [title for title, _ in _ways_to_slow(supervisor)], "breaches": breaches}


def _ways_to_slow(pid: int) -> "List[Tuple[str, Callable[[], Any]]]":
    process, user, group = os.PRIO_PROCESS, os.PRIO_USER, os.PRIO_PGRP
    processors = os.sched_getaffinity(pid)
    ways: List[Tuple[str, Callable[[], Any]]] = [
        ("priority", lambda: os.setpriority(process, pid, os.getpriority(process, pid))),
        ("scheduler", lambda: os.sched_setscheduler(pid, os.sched_getscheduler(pid), os.sched_param(0))),
        ("scheduler's parameters", lambda: os.sched_setparam(pid, os.sched_getparam(pid))),
        ("processors", lambda: os.sched_setaffinity(pid, processors)),
        ("priority for input and output", lambda: _set_io_priority(pid)),
    ]
    if pid == 1:  # where it is not, they are the machine's processes
        ways += [
            ("group's priority", lambda: os.setpriority(group, os.getpgid(pid), 19)),
            ("user's priority", lambda: os.setpriority(user, 0, 19)),
        ]
    return ways


def _set_io_priority(pid: int) -> None:
    setting, getting = IO_PRIORITY.get(platform.machine(), (0, 0))
    libc = ctypes.CDLL(None, use_errno=True)
    present = libc.syscall(getting, 1, pid)
    if not setting or libc.syscall(setting, 1, pid, present) != 0:
        raise OSError


def descriptors(argument: Dict[str, Any]) -> Dict[str, Any]:
    """Find an inherited descriptor, and reach the supervisor's pipes."""
    breaches: List[str] = []
    for name in os.listdir("/proc/self/fd"):
        try:
            if int(name) > 2:
                target = os.readlink("/proc/self/fd/" + name)
                if target.split("/")[1:2] != ["proc"]:
                    breaches.append("inherited descriptor %s: %s" % (name, target))
        except OSError:
            pass  # the listing's own
    supervisor = os.getppid()
    for number in range(16):
        try:
            target = os.readlink("/proc/%d/fd/%d" % (supervisor, number))
            breaches.append("sees the supervisor's descriptor %d: %s" % (number, target))
        except OSError:
            pass
    libc = ctypes.CDLL(None, use_errno=True)
    handle = libc.syscall(PIDFD_OPEN, supervisor, 0)
    if handle >= 0:
        for number in range(8):
            if libc.syscall(PIDFD_GETFD, handle, number, 0) >= 0:
                breaches.append("took the supervisor's descriptor %d" % number)
        os.close(handle)
    return {"tried": ["/proc/self/fd", "/proc/PID/fd", "pidfd_getfd"], "breaches": breaches[:10]}


def host_processes(argument: Dict[str, Any]) -> Dict[str, Any]:
    """See or signal a process of the host: known by its number and the moment of its start."""
    pid, started = argument["pid"], argument["started"]
    breaches = []
    for entry in os.listdir("/proc"):
        if entry.isdigit() and _started(entry) == started:
            breaches.append("sees the host's process %s" % entry)
    if _started(str(pid)) == started:
        try:
            os.kill(pid, 0)
            breaches.append("may signal the host's process %d" % pid)
        except OSError:
            pass
    seen = sum(entry.isdigit() for entry in os.listdir("/proc"))
    return {"tried": ["%d processes in /proc" % seen, "kill(%d, 0)" % pid], "breaches": breaches}


def _started(pid: str) -> str:
    try:
        with open("/proc/%s/stat" % pid) as handle:
            return handle.read().rsplit(")", 1)[1].split()[19]
    except (OSError, IndexError):
        return ""
