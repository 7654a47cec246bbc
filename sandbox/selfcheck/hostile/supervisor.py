"""Attacks on the runner that supervises the code, and on the host's processes."""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import struct
import time
from typing import Any, Callable, List, Tuple

from .attempts import Report, allowed, processes, status_of

PTRACE_ATTACH, PTRACE_DETACH, PTRACE_SEIZE = 16, 17, 0x4206
IO_PRIORITY = {"x86_64": (251, 252), "aarch64": (30, 31)}  # ioprio_set, ioprio_get
PIDFD_OPEN, PIDFD_GETFD = 434, 438  # the same numbers on every machine


def signals(signals: List[str]) -> Report:
    """Send ``signals`` to the supervisor; whether it stood it, the host finds out."""
    supervisor = os.getppid()
    for name in signals:
        allowed(os.kill, supervisor, getattr(signal, name))
    time.sleep(0.05)
    gone = os.getppid() != supervisor or status_of(supervisor)[:1] in ([], ["Z"], ["T"], ["t"])
    return signals, ["the supervisor did not survive"] if gone else []


def memory() -> Report:
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
    names = ("mem", "environ", "maps", "io", "auxv", "syscall")
    breaches += ["opened the supervisor's " + name for name in names if allowed(_looked_at, supervisor, name)]
    if _read_memory(libc, supervisor):
        breaches.append("process_vm_readv of the supervisor")
    return ["ptrace attach", "ptrace seize", "/proc/PID/{%s}" % ",".join(names), "process_vm_readv"], breaches


def _looked_at(pid: int, name: str) -> None:
    with open("/proc/%d/%s" % (pid, name), "rb") as handle:
        if name != "mem":  # of which the first page is none
            handle.read(1)


def _read_memory(libc: Any, pid: int) -> bool:
    # A forked child's objects lie where its parent's do; any refusal but "no such address" will do.
    buffer = ctypes.create_string_buffer(8)
    vector = struct.pack("@PN", ctypes.addressof(buffer), 8)
    remote = struct.pack("@PN", id(vector), 8)
    ctypes.set_errno(0)
    done = libc.process_vm_readv(pid, vector, 1, remote, 1, 0)
    return bool(done >= 0 or ctypes.get_errno() == 14)


def priority() -> Report:
    """Decide when and where the supervisor runs. Everything is set to what it is already."""
    ways = _ways_to_slow(os.getppid())
    breaches = ["set the supervisor's " + title for title, change in ways if allowed(change)]
    return [title for title, _ in ways], breaches


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


def descriptors() -> Report:
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
    return ["/proc/self/fd", "/proc/PID/fd", "pidfd_getfd"], breaches[:10]


def host_processes(pid: int, started: str) -> Report:
    """See or signal a process of the host: known by its number and the moment of its start."""
    seen = processes()
    found = [each for each in seen if status_of(each)[19:20] == [started]]
    breaches = ["sees the host's process %s" % each for each in found]
    if status_of(pid)[19:20] == [started] and allowed(os.kill, pid, 0):
        breaches.append("may signal the host's process %d" % pid)
    return ["%d processes in /proc" % len(seen), "kill(%d, 0)" % pid], breaches
