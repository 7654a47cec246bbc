"""One step of a build on this machine: what stands around it, and the end of what it says.

In bubblewrap it has network, and no file or variable of ours but what is named. It starts through
``sandbox.confine``: that filters its system calls, gives it a session keyring of its own, and keeps it from
the abstract sockets of the machine, whose network it may share. It may say more than there is memory.
"""

import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from importlib import resources
from typing import Self

from sandbox import machine
from sandbox.bubblewrap import isolation, machine_files, system_mounts
from sandbox.devices import protect_nodes
from sandbox.environment.failure import KEPT_OUTPUT
from sandbox.environment.own_network import RESOLVER, StepNetwork, own_network
from sandbox.interpreter import Interpreter
from sandbox.pipes import kept
from sandbox.runner.kept import Tail

LOOK_EVERY_S = 0.5
LAST_BYTES = 512 << 20
MAX_ENTRIES = 2_000_000
"""Files and directories of one step: a file system may have room for some millions only."""

Connect = Callable[[], AbstractContextManager[None]]


@dataclass(frozen=True, slots=True)
class Room:
    """How many bytes, and how many entries, have to stay free on the file system of ``path``."""

    path: str
    free: int
    entries: int = 0

    @classmethod
    def on(cls, path: str, *, most: int) -> Self:
        """For a step that may write ``most`` bytes, and not the last of what is there now."""
        free, entries = _free(path)
        return cls(
            path, max(free - most, min(LAST_BYTES, free // 2)), max(entries - MAX_ENTRIES, entries // 2)
        )

    def is_short(self) -> bool:
        """Whether less is free."""
        free, entries = _free(self.path)
        return free < self.free or entries < self.entries


def _free(path: str) -> tuple[int, int]:
    system = os.statvfs(path)
    return system.f_bavail * system.f_frsize, system.f_favail


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """A step's end: its ``exit_status``, None where it was killed at its deadline; what it ``said`` last."""

    exit_status: int | None
    said: str


def watch(  # noqa: PLR0913 - what a step is run with
    argv: Sequence[str],
    *,
    environment: Mapping[str, str],
    timeout_s: float,
    descriptors: Collection[int] = (),
    connected: Connect = nullcontext,
    room: Room | None = None,
) -> Watched:
    """Run ``argv`` with nothing on its standard input, and with ``descriptors`` of ours.

    What ``connected`` gives is entered once it has begun, and left when it has ended. It is killed when it
    leaves less than ``room``.

    Raises:
        OSError: it cannot be started.
        SandboxUnavailable: root's device nodes cannot be kept from it, or it cannot be connected.
    """
    end = time.monotonic() + timeout_s
    tail = Tail(KEPT_OUTPUT)
    status = None
    with kept(_started(argv, environment, descriptors, connected)) as (process, _):
        assert process.stdout is not None
        try:
            while (left := end - time.monotonic()) > 0:
                if room and room.is_short():
                    tail.feed(b"\nit fills the disk\n")
                    break
                if select.select([process.stdout], [], [], min(left, LOOK_EVERY_S))[0]:
                    chunk = os.read(process.stdout.fileno(), 1 << 16)
                    tail.feed(chunk)
                    if not chunk:
                        status = _waited(process, end, room)
                        break
        finally:
            if status is None:
                os.killpg(process.pid, signal.SIGKILL)  # with all that it has started and not let go of
    return Watched(exit_status=status, said=tail.data.decode("utf-8", "replace"))


def _waited(process: subprocess.Popen[bytes], end: float, room: Room | None) -> int | None:
    """The status of what has closed its output and may go on; None where it does not end in time."""
    while (left := end - time.monotonic()) > 0 and not (room and room.is_short()):
        with suppress(subprocess.TimeoutExpired):
            return process.wait(min(left, LOOK_EVERY_S))
    return None


@contextmanager
def _started(
    argv: Sequence[str],
    environment: Mapping[str, str],
    descriptors: Collection[int],
    connected: Connect,
) -> Iterator[subprocess.Popen[bytes]]:
    protect_nodes()
    with subprocess.Popen(
        list(argv),
        # Not the null device: what is open can be changed through its descriptor.
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=dict(environment),
        pass_fds=descriptors,
        start_new_session=True,
        cwd="/",
    ) as process:
        assert process.stdin is not None
        process.stdin.close()
        try:
            with connected():
                yield process
        except BaseException:
            process.kill()
            raise


# Names of hosts, and certificates; no directory of /etc as a whole, since keys lie beside them.
NETWORK_FILES = (*machine.LOOK_UP, "/etc/ssl/certs")


@dataclass(frozen=True, slots=True)
class Around:
    """The ``words`` before those of a step, ``descriptors`` to hand down, and what to enter once it began."""

    words: tuple[str, ...] = ()
    descriptors: tuple[int, ...] = ()
    connected: Callable[[], AbstractContextManager[None]] = nullcontext


@contextmanager
def confined(
    python: str,
    *,
    readable: Mapping[str, str],
    writable: Mapping[str, str],
    variables: Mapping[str, str],
    network: AbstractContextManager[StepNetwork] | None = None,
) -> Iterator[Around]:
    """What stands around one step; its network is its own, or the one that is given.

    ``readable`` and ``writable`` are paths inside with the host's path for each. ``python`` is an interpreter
    of the host, which nothing inside can write, and prepares the process.

    Raises:
        SandboxUnavailable: ``python`` is no working Python.
    """
    with (
        machine_files(network=True) as (files, descriptors),
        network or own_network() as connected,
        _unseen(_set({**variables, **connected.variables})) as unseen,
    ):
        argv = [*isolation(network=True), *system_mounts(), *files, *connected.words]
        for directory in machine.TEMPORARY:
            argv += ["--tmpfs", directory]
        for path in NETWORK_FILES:
            if os.path.exists(path) and not (connected.words and path == RESOLVER):
                argv += ["--ro-bind", os.path.realpath(path), path]
        argv += Interpreter.of(python).mounts()
        for inside, outside in readable.items():
            argv += ["--ro-bind", outside, inside]
        for inside, outside in writable.items():
            argv += ["--bind", outside, inside]
        argv += ["--remount-ro", "/dev", "--remount-ro", "/"]
        argv += ["--args", str(unseen)]
        program = resources.files("sandbox").joinpath("confine.py").read_text("utf-8")
        words = (*argv, "--", python, "-I", "-S", "-c", program, *connected.before)
        yield Around(words, (*descriptors, unseen, *connected.descriptors), connected.connected)


def _set(variables: Mapping[str, str]) -> list[str]:
    return [word for name, value in variables.items() for word in ("--setenv", name, value)]


@contextmanager
def _unseen(words: Sequence[str]) -> Iterator[int]:
    """A descriptor from which one bwrap reads ``words``: on a command line, every user could read them."""
    number = os.memfd_create("arguments")
    try:
        os.write(number, b"".join(os.fsencode(word) + b"\0" for word in words))
        os.lseek(number, 0, os.SEEK_SET)
        yield number
    finally:
        os.close(number)
