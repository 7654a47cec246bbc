"""The bubblewrap around a step of a build: it has network, and no file or variable of ours but what is named.

A step starts through ``sandbox.confine``: that filters its system calls, gives it a session keyring of its
own, and keeps it from the abstract sockets of the machine, whose network it may share.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from importlib import resources

from sandbox import machine
from sandbox.bubblewrap import isolation, machine_files, system_mounts
from sandbox.environment.own_network import RESOLVER, own_network
from sandbox.interpreter import Interpreter

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
    shared: bool = False,
) -> Iterator[Around]:
    """What stands around one step; with ``shared``, it gets no network of its own.

    ``readable`` and ``writable`` are paths inside with the host's path for each. ``python`` is an interpreter
    of the host, which nothing inside can write, and prepares the process.

    Raises:
        SandboxUnavailable: ``python`` is no working Python.
    """
    with machine_files(network=True) as (files, descriptors), own_network(shared=shared) as network:
        argv = [*isolation(network=True), *system_mounts(), *files, *network.words]
        for directory in machine.TEMPORARY:
            argv += ["--tmpfs", directory]
        for path in NETWORK_FILES:
            if os.path.exists(path) and not (network.words and path == RESOLVER):
                argv += ["--ro-bind", os.path.realpath(path), path]
        argv += Interpreter.of(python).mounts()
        for inside, outside in readable.items():
            argv += ["--ro-bind", outside, inside]
        for inside, outside in writable.items():
            argv += ["--bind", outside, inside]
        argv += ["--remount-ro", "/dev", "--remount-ro", "/"]
        for name, value in variables.items():
            argv += ["--setenv", name, value]
        program = resources.files("sandbox").joinpath("confine.py").read_text("utf-8")
        words = (*argv, "--", python, "-I", "-S", "-c", program)
        yield Around(words, (*descriptors, *network.descriptors), network.connected)
