"""A filter for system calls that ordinary programs never make. Runs INSIDE, before anything of the project.

It comes on top of what an engine filters, for all providers alike: bubblewrap alone filters nothing, and
older engines leave the hypervisor's sockets and io_uring open. ``sandbox.bundle`` sends this file's text;
standard library only, CPython 3.7 and newer. The numbers are those of Linux's unistd.h for each machine.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

# Importing typing takes longer than the rest of this: it is for those who check the types.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, List, Tuple

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
LOAD, IF_EQUAL, IF_AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
NUMBER_AT, MACHINE_AT, FIRST_ARGUMENT_AT = 0, 4, 16
X32_BIT = 0x40000000
# Sockets within the machine and of the internet's protocols; no way to the hypervisor or to devices.
AF_UNIX, AF_INET, AF_INET6, AF_NETLINK = 1, 2, 10, 16

# The same on every machine: io_uring (which goes around filters), the new mount calls, pidfd_getfd.
COMMON = (425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442)
# Tracing and other processes' memory; mounts, roots and namespaces; modules, kernels, swap, restart; the
# clock and the host's name; keys; bpf, performance counters, user-space faults, handles, fanotify, the log.
X86_64 = (
    *(101, 310, 311, 312, 165, 166, 155, 161, 272, 308, 174, 175, 176, 313, 246, 320, 167, 168, 169),
    *(159, 164, 227, 305, 170, 171, 248, 249, 250, 321, 298, 323, 303, 304, 300, 103),
    *(134, 153, 154, 156, 163, 172, 173, 179, 212),
)
AARCH64 = (
    *(117, 270, 271, 272, 40, 39, 41, 51, 97, 268, 105, 106, 273, 104, 294, 224, 225, 142),
    *(171, 170, 112, 266, 161, 162, 217, 218, 219, 280, 241, 282, 264, 265, 262, 116),
    *(58, 89, 60, 18),
)
# By machine: how the kernel calls it (linux/audit.h), the numbers of socket and prlimit64, what is refused.
MACHINES: Dict[str, Tuple[int, int, int, Tuple[int, ...]]] = {
    "x86_64": (0xC000003E, 41, 302, X86_64),
    "aarch64": (0xC00000B7, 198, 261, AARCH64),
}


def confine() -> bool:
    """Filter this process and all that it starts; False on a machine whose numbers are not known here.

    OSError when the kernel refuses the filter.
    """
    known = MACHINES.get(os.uname().machine)
    if known is None:
        return False
    program = _program(*known)
    memory = ctypes.create_string_buffer(program, len(program))
    described = struct.pack("@HP", len(program) // 8, ctypes.addressof(memory))
    libc = ctypes.CDLL(None, use_errno=True)
    refused = libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    refused = refused or libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, described, 0, 0)
    if refused:
        raise OSError(ctypes.get_errno(), "the kernel refuses the system call filter")
    return True


def _program(machine: int, socket_call: int, limit_call: int, refused: Tuple[int, ...]) -> bytes:
    """The filter as the kernel reads it: eight bytes an instruction; a jump says how many to skip."""
    steps: List[Tuple[int, int, int, int]] = [
        (LOAD, 0, 0, MACHINE_AT),
        (IF_EQUAL, 1, 0, machine),
        (RETURN, 0, 0, REFUSE | errno.ENOSYS),  # calls in another machine's way have other numbers
        (LOAD, 0, 0, NUMBER_AT),
        (IF_AT_LEAST, 0, 1, X32_BIT),
        (RETURN, 0, 0, REFUSE | errno.ENOSYS),
    ]
    for number in refused + COMMON:
        steps += [(IF_EQUAL, 0, 1, number), (RETURN, 0, 0, REFUSE | errno.EPERM)]
    # A process may set its own limits, and not take memory or files from the one that watches it.
    steps += [(IF_EQUAL, 0, 4, limit_call), (LOAD, 0, 0, FIRST_ARGUMENT_AT)]
    steps += [(IF_EQUAL, 0, 1, 0), (RETURN, 0, 0, ALLOW), (RETURN, 0, 0, REFUSE | errno.EPERM)]
    steps += [(IF_EQUAL, 1, 0, socket_call), (RETURN, 0, 0, ALLOW), (LOAD, 0, 0, FIRST_ARGUMENT_AT)]
    for family in (AF_UNIX, AF_INET, AF_INET6, AF_NETLINK):
        steps += [(IF_EQUAL, 0, 1, family), (RETURN, 0, 0, ALLOW)]
    steps.append((RETURN, 0, 0, REFUSE | errno.EAFNOSUPPORT))
    return b"".join(struct.pack("=HBBI", code, yes, no, value) for code, yes, no, value in steps)
