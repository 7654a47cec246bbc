"""A network namespace for a step of a build, which slirp4netns connects: no loopback but the step's own.

slirp4netns is a program of the user's that speaks for what is inside. It hands nothing on to the machine's
loopback; a route keeps the step from the metadata service of a cloud. Where it is missing or does not work, a
step shares the machine's network.
"""

import fcntl
import ipaddress
import json
import os
import re
import select
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from io import FileIO
from pathlib import Path
from typing import Protocol

from sandbox.bubblewrap import isolation, system_mounts
from sandbox.errors import SandboxUnavailable
from sandbox.pipes import quiet

PROGRAM = "slirp4netns"
NAME_SERVER = "10.0.2.3"
RESOLVER = "/etc/resolv.conf"
TIMEOUT_S = 10.0
NS_GET_USERNS = 0xB701
_OPTIONS = ("--configure", "--mtu=65520", "--disable-host-loopback", "--enable-seccomp")
# It becomes root of the user namespace, which has no such number where the caller is not root.
_AS_ROOT = ("--enable-sandbox",)
_HOST = re.compile(r"//(?:[^/@]*@)?(\[[^\]]*\]|[^/:]*)|^([^/:]+)(?=:\d+$)")


class StepNetwork(Protocol):
    """The network of a step of a build, or of a program.

    ``words`` are for bwrap, and it is handed the ``descriptors``; ``before`` come before the step's own
    words, ``variables`` name a proxy to it.
    """

    @property
    def words(self) -> Sequence[str]:
        """See above."""
        ...

    @property
    def before(self) -> Sequence[str]:
        """See above."""
        ...

    @property
    def variables(self) -> Mapping[str, str]:
        """See above."""
        ...

    @property
    def descriptors(self) -> Sequence[int]:
        """See above."""
        ...

    def connected(self) -> AbstractContextManager[None]:
        """Connect what bwrap has just begun; for as long as the context lasts."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnNetwork:
    """``words`` are for bwrap, which is handed the ``files``; none where it shares the machine's network."""

    words: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    files: tuple[FileIO, ...] = ()
    ours: tuple[FileIO, ...] = ()

    @property
    def descriptors(self) -> tuple[int, ...]:
        """To hand down."""
        return tuple(file.fileno() for file in self.files)

    @contextmanager
    def connected(self) -> Iterator[None]:
        """Connect what bwrap has just begun, which waits for that; for as long as the context lasts.

        Raises:
            SandboxUnavailable: it cannot be connected.
        """
        for file in self.files:
            file.close()  # so that the end of bwrap is seen
        with ExitStack() as held:
            if network := self._begun():
                held.callback(os.close, network)
                held.enter_context(_connected(network))
                with suppress(BrokenPipeError):
                    self.ours[1].write(b"1")
            yield

    def _begun(self) -> int:
        """The namespace to connect; 0 where there is none, or bwrap has failed, as its status will show."""
        said = b""
        while self.words and b"}" not in said:
            chunk = self.ours[0].read(4096)
            if not chunk:
                return 0
            said += chunk
        with suppress(FileNotFoundError, ProcessLookupError):
            if said:
                place = f"/proc/{json.loads(said)['child-pid']}"
                _wait_for_loopback(f"{place}/net/fib_trie", time.monotonic() + TIMEOUT_S)
                return os.open(f"{place}/ns/net", os.O_RDONLY | os.O_CLOEXEC)
        return 0


def _wait_for_loopback(routes: str, deadline: float) -> None:
    """Wait until bwrap has its loopback; where slirp4netns brings that up before, bwrap fails.

    Raises:
        OSError: bwrap has failed.
        SandboxUnavailable: it takes too long.
    """
    while b"127.0.0.1" not in Path(routes).read_bytes():
        if time.monotonic() > deadline:
            raise SandboxUnavailable("bubblewrap does not set up a network")
        time.sleep(0.001)


def own_network(*, shared: bool = False) -> AbstractContextManager[OwnNetwork]:
    """For one bwrap; one without words, which shares the machine's, where ``shared`` or none works."""
    return nullcontext(OwnNetwork()) if shared or not available() else _prepared()


@contextmanager
def _prepared() -> Iterator[OwnNetwork]:
    with ExitStack() as held:
        information, saying = _pipe(held)
        wait, release = _pipe(held)
        settings = held.enter_context(FileIO(os.memfd_create(RESOLVER), "r+"))
        settings.write(_resolver().encode("utf-8", "surrogateescape"))
        settings.seek(0)
        words = ["--unshare-net", "--info-fd", str(saying.fileno()), "--block-fd", str(wait.fileno())]
        words += ["--perms", "0644", "--file", str(settings.fileno()), RESOLVER]
        yield OwnNetwork(words=tuple(words), files=(saying, wait, settings), ours=(information, release))


def _pipe(held: ExitStack) -> tuple[FileIO, FileIO]:
    reading, writing = os.pipe()
    return held.enter_context(FileIO(reading, "r")), held.enter_context(FileIO(writing, "w"))


def _resolver() -> str:
    """The resolver's settings of this machine, with slirp4netns as the server: it asks the machine's."""
    lines: list[str] = []
    with suppress(OSError):
        lines = Path(RESOLVER).read_text("utf-8", "surrogateescape").splitlines()
    kept = [line for line in lines if line.startswith(("search ", "domain ", "options "))]
    return "".join(f"{line}\n" for line in (f"nameserver {NAME_SERVER}", *kept))


@contextmanager
def _connected(network: int) -> Iterator[None]:
    with ExitStack() as held:
        user = fcntl.ioctl(network, NS_GET_USERNS)
        held.callback(os.close, user)
        _close_routes(user, network)
        ready, saying = os.pipe()
        wait, end = os.pipe()
        # Closing the last one ends the program, also where this process is killed.
        for descriptor in (ready, end):
            held.callback(os.close, descriptor)
        argv = [shutil.which(PROGRAM) or PROGRAM, *_OPTIONS, f"--ready-fd={saying}", f"--exit-fd={wait}"]
        argv += _AS_ROOT if os.geteuid() == 0 else ()
        argv += [f"--userns-path=/proc/self/fd/{user}", "--netns-type=path"]
        argv += [f"/proc/self/fd/{network}", "tap0"]
        try:
            program = quiet(argv, (saying, wait, user, network))
        finally:
            os.close(saying)
            os.close(wait)
        held.callback(program.wait)
        held.callback(program.kill)
        if not select.select([ready], [], [], TIMEOUT_S)[0] or os.read(ready, 1) != b"1":
            raise SandboxUnavailable(f"{PROGRAM} does not connect a build's network")
        yield


def _close_routes(user: int, network: int) -> None:
    """Let nothing in the namespace reach link-local addresses, where clouds answer with a machine's keys."""
    program = resources.files("sandbox.environment").joinpath("close_routes.py").read_text("utf-8")
    try:
        subprocess.run(
            [sys.executable, "-I", "-S", "-c", program, str(user), str(network)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            pass_fds=(user, network),
            env={},
            cwd="/",
            timeout=TIMEOUT_S,
            check=True,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise SandboxUnavailable("the routes of a build's network cannot be set") from error


@cache
def available() -> bool:
    """Whether steps get a network of their own here; tried once."""
    if shutil.which(PROGRAM) is None or not own_address():  # it connects IPv4 alone
        return False
    try:
        with _prepared() as network:
            argv = [*isolation(network=True), *system_mounts(), *network.words, "--", "/bin/true"]
            with quiet(argv, network.descriptors) as process:
                try:
                    with network.connected():
                        return process.wait(TIMEOUT_S) == 0
                finally:
                    process.kill()
    except (OSError, ValueError, SandboxUnavailable, subprocess.SubprocessError):
        return False


def own_address() -> str:
    """The address by which this machine reaches others with IPv4, or nothing; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking, suppress(OSError):
        asking.connect(("192.0.2.1", 9))
        return str(asking.getsockname()[0])
    return ""


def names_loopback(variables: Collection[str]) -> bool:
    """Whether a value of the ``variables`` of a build names what listens on this machine's loopback."""
    hosts = [one or other for value in variables for one, other in _HOST.findall(value.strip())]
    return any(map(_is_loopback, hosts))


def _is_loopback(host: str) -> bool:
    name = host.strip("[]").rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
