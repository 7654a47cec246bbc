"""Whose a container, directory or control group is: so that what a dead run left can be found and removed.

An owner is ``MACHINE/PID/START``: the machine by its boot and process namespace, the process by its number
and the moment of its start, since numbers are used again. A mark is the same as part of a file's name.
"""

import hashlib
import os
import re
import secrets
from functools import cache
from pathlib import Path

PREFIX = "regreen-"
_MARKED = re.compile(re.escape(PREFIX) + r"(?P<machine>[0-9a-f]{12})\.(?P<pid>\d+)\.(?P<start>\d+)-")


def current() -> str:
    """This process, as a later one on the same machine can look for it."""
    return f"{_machine()}/{os.getpid()}/{start_time(os.getpid())}"


def is_dead(owner: str) -> bool:
    """Whether ``owner`` was a process of this machine and is gone; False where that is not known."""
    machine, _, process = owner.partition("/")
    pid, _, started = process.partition("/")
    if machine != _machine() or not pid.isdigit() or not started:
        return False  # another machine or namespace: not ours to judge
    return start_time(int(pid)) != started


def mark() -> str:
    """How the name of a file, directory or group of this process begins."""
    return f"{PREFIX}{_machine_hash()}.{os.getpid()}.{start_time(os.getpid())}-{run_id()}-"


def left_by_the_dead(name: str) -> bool:
    """Whether a file of this name was marked by a process of this machine that is gone."""
    marked = _MARKED.match(name)
    if marked is None or marked["machine"] != _machine_hash():
        return False
    return start_time(int(marked["pid"])) != marked["start"]


@cache
def run_id() -> str:
    """Names this run of the program, to say what belongs together."""
    return secrets.token_hex(4)


def start_time(pid: int) -> str:
    """The process's start in clock ticks since boot (field 22 of proc(5) stat); empty if it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rsplit(")", 1)[1].split()[19]
    except (OSError, IndexError):
        return ""


@cache
def _machine() -> str:
    boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    return f"{boot}:{os.readlink('/proc/self/ns/pid')}"


@cache
def _machine_hash() -> str:
    return hashlib.sha256(_machine().encode()).hexdigest()[:12]
