"""Attacks by shared memory, semaphores and message queues (System V), which no process's end removes."""

from __future__ import annotations

import ctypes
from typing import Callable, Dict

from .attempts import Report

IPC_CREAT, IPC_RMID = 0o1000, 0
MODE = 0o600


def leave(key: int) -> Report:
    """Make one of each under ``key``, and end."""
    missing = [name for name, get in _gets(key).items() if get(IPC_CREAT | MODE) < 0]
    return ["left one of each"], ["cannot make: " + name for name in missing]


def find(key: int) -> Report:
    """Find what ``leave`` left under ``key``; it is removed."""
    libc = ctypes.CDLL(None)
    removals: Dict[str, Callable[[int], int]] = {
        "shared memory": lambda number: libc.shmctl(number, IPC_RMID, None),
        "a semaphore": lambda number: libc.semctl(number, 0, IPC_RMID),
        "a queue": lambda number: libc.msgctl(number, IPC_RMID, None),
    }
    found = {name: get(0) for name, get in _gets(key).items()}
    left = [name for name, number in found.items() if number >= 0]
    for name in left:
        removals[name](found[name])
    return list(found), ["%s of an earlier command" % name for name in left]


def _gets(key: int) -> "Dict[str, Callable[[int], int]]":
    libc = ctypes.CDLL(None)
    return {
        "shared memory": lambda flags: libc.shmget(key, 4096 if flags else 0, flags),
        "a semaphore": lambda flags: libc.semget(key, 1 if flags else 0, flags),
        "a queue": lambda flags: libc.msgget(key, flags),
    }
