"""Removes shared memory, semaphores and message queues (System V), which outlive the process that made them.

Only process 1 has a namespace of its own: elsewhere they are other programs' too.
"""

from __future__ import annotations

import ctypes
import os
import struct

from .processes import LIBC

PROC = "/proc/sysvipc/"
IPC_RMID, MSG_INFO, SHM_INFO, SEM_INFO = 0, 12, 14, 19
_INFO = ctypes.create_string_buffer(256)


def clear() -> None:
    """As process 1: remove all that there are. No mode keeps their maker's user from that."""
    if os.getpid() != 1 or LIBC is None:
        return
    # How many there are is asked first, since it takes a twentieth of what reading the lists does.
    if LIBC.shmctl(0, SHM_INFO, _INFO) >= 0 and _number(0):
        for number in _listed("shm"):
            LIBC.shmctl(number, IPC_RMID, None)
    if LIBC.semctl(0, 0, SEM_INFO, _INFO) >= 0 and _number(7):
        for number in _listed("sem"):
            LIBC.semctl(number, 0, IPC_RMID)
    if LIBC.msgctl(0, MSG_INFO, _INFO) >= 0 and _number(0):
        for number in _listed("msg"):
            LIBC.msgctl(number, IPC_RMID, None)


def _number(index: int) -> int:
    """One of the numbers in the kernel's answer: how many are in use."""
    return int(struct.unpack_from("@i", _INFO, 4 * index)[0])


def _listed(kind: str) -> "list[int]":
    with open(PROC + kind, "rb") as lines:
        next(lines)
        return [int(line.split()[1]) for line in lines]
