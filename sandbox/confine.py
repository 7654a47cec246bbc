"""A filter for system calls that ordinary programs never make. Runs INSIDE, before anything of the project.

It comes on top of what an engine filters, for all providers alike: bubblewrap alone filters nothing, and
older engines leave the hypervisor's sockets and io_uring open. ``sandbox.session`` sends this file's text;
a build's steps are started by it as a program, with the step's words as its arguments. Standard library
only, CPython 3.7 and newer. The numbers are those of Linux's unistd.h for each machine.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys

# Importing typing takes longer than the rest of this: it is for those who check the types.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, List, Tuple

    Step = Tuple[int, int, int, int]
    Only = Tuple[Tuple[int, int], ...]

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
LOAD, IF_EQUAL, IF_AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
NUMBER_AT, MACHINE_AT, ARGUMENTS_AT = 0, 4, 16
X32_BIT = 0x40000000
MAX_PROCESSES = 4096
JOIN_SESSION_KEYRING = 1
# The same on every machine; ``scoped`` says which sockets in the abstract namespace stay in reach: our own.
LANDLOCK_CREATE, LANDLOCK_RESTRICT = 444, 446
LANDLOCK_VERSION, LANDLOCK_SCOPES_SINCE, ABSTRACT_SOCKETS = 1, 6, 1
# Sockets within the machine and of the internet's protocols; no way to the hypervisor or to devices.
AF_UNIX, AF_INET, AF_INET6, AF_NETLINK = 1, 2, 10, 16
NETLINK_ROUTE = 0

# The same on every machine: io_uring (which goes around filters), the new mount calls, pidfd_getfd.
COMMON = (425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442, 467)
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
# Limits, priorities and schedulers are a process's own business, and not that of the one that watches it:
# by the call's name, which of its arguments have to have which value. Zero is the caller.
OWN: Dict[str, Only] = {
    "prlimit64": ((0, 0),),
    "sched_setparam": ((0, 0),),
    "sched_setscheduler": ((0, 0),),
    "sched_setaffinity": ((0, 0),),
    "sched_setattr": ((0, 0),),
    "setpriority": ((0, 0), (1, 0)),  # of one process; a user's are everybody's
    "ioprio_set": ((0, 1), (1, 0)),
}
# What a file can carry beside its content, rights and times: restoring it after a candidate would miss that.
# Refused as file systems do that have none of it. With ioctl, by its second argument, the requests
# FS_IOC_SETFLAGS (for 64 and 32 bits) and FS_IOC_FSSETXATTR.
ATTRIBUTES = ("setxattr", "lsetxattr", "fsetxattr")
SETXATTRAT = 463
FLAG_REQUESTS = (0x40086602, 0x40046602, 0x401C5820)
NAMES = ("socket", "keyctl", "ioctl", *ATTRIBUTES, *OWN)
# By machine: how the kernel calls it (linux/audit.h), the numbers of NAMES, what is refused.
MACHINES: Dict[str, Tuple[int, Tuple[int, ...], Tuple[int, ...]]] = {
    "x86_64": (0xC000003E, (41, 250, 16, 188, 189, 190, 302, 142, 144, 203, 314, 141, 251), X86_64),
    "aarch64": (0xC00000B7, (198, 219, 29, 5, 6, 7, 261, 118, 119, 122, 274, 140, 30), AARCH64),
}


def confine() -> bool:
    """Filter this process and all that it starts; False on a machine whose numbers are not known here.

    Its session keyring is a new one: the caller's may hold keys. OSError when the kernel refuses the filter.
    """
    known = MACHINES.get(os.uname().machine)
    if known is None:
        return False
    machine, numbers, refused = known
    named = dict(zip(NAMES, numbers))
    program = _program(machine, named, refused)
    memory = ctypes.create_string_buffer(program, len(program))
    described = struct.pack("@HP", len(program) // 8, ctypes.addressof(memory))
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall(named["keyctl"], JOIN_SESSION_KEYRING, None)  # an engine refuses it, and gives a new one
    failed = libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    failed = failed or libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, described, 0, 0)
    if failed:
        raise OSError(ctypes.get_errno(), "the kernel refuses the system call filter")
    return True


def keep_from_abstract_sockets() -> bool:
    """Let this process, and all that it starts, reach no abstract socket that was there before.

    For a build, which shares the machine's network. After ``confine``. False where the kernel cannot.
    """
    if not can_keep_from_abstract_sockets():
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    attributes = struct.pack("@QQQ", 0, 0, ABSTRACT_SOCKETS)  # no rule on files, none on ports
    rules = libc.syscall(LANDLOCK_CREATE, attributes, len(attributes), 0)
    if rules < 0:
        return False
    try:
        return bool(libc.syscall(LANDLOCK_RESTRICT, rules, 0) == 0)
    finally:
        os.close(rules)


def can_keep_from_abstract_sockets() -> bool:
    """Whether the kernel's Landlock knows of such sockets, as it does since Linux 6.12."""
    version = ctypes.CDLL(None, use_errno=True).syscall(LANDLOCK_CREATE, None, 0, LANDLOCK_VERSION)
    return bool(version >= LANDLOCK_SCOPES_SINCE)


def _program(machine: int, named: Dict[str, int], refused: Tuple[int, ...]) -> bytes:
    """The filter as the kernel reads it: eight bytes an instruction; a jump says how many to skip."""
    steps: List[Step] = [
        (LOAD, 0, 0, MACHINE_AT),
        (IF_EQUAL, 1, 0, machine),
        (RETURN, 0, 0, REFUSE | errno.ENOSYS),  # calls in another machine's way have other numbers
        (LOAD, 0, 0, NUMBER_AT),
        (IF_AT_LEAST, 0, 1, X32_BIT),
        (RETURN, 0, 0, REFUSE | errno.ENOSYS),
    ]
    for number in refused + COMMON:
        steps += [(IF_EQUAL, 0, 1, number), (RETURN, 0, 0, REFUSE | errno.EPERM)]
    for number in (*(named[name] for name in ATTRIBUTES), SETXATTRAT):
        steps += [(IF_EQUAL, 0, 1, number), (RETURN, 0, 0, REFUSE | errno.EOPNOTSUPP)]
    block = [(LOAD, 0, 0, ARGUMENTS_AT + 8)]
    for request in FLAG_REQUESTS:
        block += [(IF_EQUAL, 0, 1, request), (RETURN, 0, 0, REFUSE | errno.EOPNOTSUPP)]
    block.append((RETURN, 0, 0, ALLOW))
    steps += [(IF_EQUAL, 0, len(block), named["ioctl"]), *block]
    for name, only in OWN.items():
        block = _only(only)
        steps += [(IF_EQUAL, 0, len(block), named[name]), *block]
    steps += [(IF_EQUAL, 1, 0, named["socket"]), (RETURN, 0, 0, ALLOW), (LOAD, 0, 0, ARGUMENTS_AT)]
    for family in (AF_UNIX, AF_INET, AF_INET6):
        steps += [(IF_EQUAL, 0, 1, family), (RETURN, 0, 0, ALLOW)]
    # Of netlink the routes alone, which name look-ups ask for: a container would hear of the host's devices.
    steps += [(IF_EQUAL, 1, 0, AF_NETLINK), (RETURN, 0, 0, REFUSE | errno.EAFNOSUPPORT)]
    steps += [(LOAD, 0, 0, ARGUMENTS_AT + 16), (IF_EQUAL, 1, 0, NETLINK_ROUTE)]
    steps += [(RETURN, 0, 0, REFUSE | errno.EPROTONOSUPPORT), (RETURN, 0, 0, ALLOW)]
    return b"".join(struct.pack("=HBBI", code, yes, no, value) for code, yes, no, value in steps)


def _only(wanted: Only) -> List[Step]:
    """Allow the call where each of these arguments has its value (of which 32 bits count), else refuse it."""
    steps: List[Step] = []
    for index, value in wanted:
        steps += [(LOAD, 0, 0, ARGUMENTS_AT + 8 * index), (IF_EQUAL, 1, 0, value)]
        steps.append((RETURN, 0, 0, REFUSE | errno.EPERM))
    return [*steps, (RETURN, 0, 0, ALLOW)]


def limit_step() -> None:
    """The limits of a step of a build, beside those of the engine or of its control group.

    Nobody's processes are counted over all containers, so that this only ends an endless growth.
    """
    import resource

    for kind, value in ((resource.RLIMIT_NPROC, MAX_PROCESSES), (resource.RLIMIT_CORE, 0)):
        hard = resource.getrlimit(kind)[1]
        kept = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (kept, kept))
    resource.setrlimit(resource.RLIMIT_MSGQUEUE, (0, 0))


if __name__ == "__main__":
    limit_step()
    confine()
    keep_from_abstract_sockets()
    os.execv(sys.argv[1], sys.argv[1:])
