"""The contracts of the sandbox: a place to run untrusted code, and the providers that make one.

A command that fails or hangs is a value (``ExecResult``); a sandbox that fails is an exception
(``sandbox.errors``). ``tests/contract`` holds every provider to what is written here.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What the code inside may use. Every limit has a unit in its name.

    ``memory_mib`` bounds the whole sandbox where the provider has a cgroup, and each process
    otherwise; ``processes`` bounds the whole sandbox; ``disk_mib`` the workspace and ``/tmp`` each.
    """

    memory_mib: int = 4096
    cpus: float = 2.0
    processes: int = 256
    open_files: int = 4096
    disk_mib: int = 1024
    file_mib: int = 256
    output_bytes: int = 1_000_000
    lifetime_s: int = 6 * 3600

    def rlimits(self) -> dict[str, int]:
        """The limits that a process sets on itself, by RLIMIT name."""
        return {
            "AS": max(self.memory_mib, 256) * MIB,
            "NOFILE": self.open_files,
            "FSIZE": self.file_mib * MIB,
            "CORE": 0,
            "MSGQUEUE": 0,  # a queue outlives the process: nothing may be left for the next candidate
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxSpec:
    """What a sandbox should be like.

    ``python`` is the interpreter inside: a path on this machine for ``bubblewrap`` and ``process``, a
    command of the image for ``docker``. ``readable`` are further host directories that the interpreter needs.
    ``base_python`` takes the place of a ``python`` that runs at its start what was installed into it, such
    as one of an environment built for a project. It is asked what it needs, and the supervisor runs on it;
    ``python`` runs the project's code alone.
    """

    python: str
    base_python: str = ""
    image: str = ""
    limits: Limits = field(default_factory=Limits)
    environment: Mapping[str, str] = field(default_factory=dict)
    readable: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecResult:
    """How a command ended. ``exit_status`` is None when it was killed at its deadline.

    ``truncated`` is whether ``stdout`` or ``stderr`` is less than what the command wrote.
    """

    exit_status: int | None
    stdout: bytes
    stderr: bytes
    seconds: float
    timed_out: bool
    truncated: bool


class Sandbox(Protocol):
    """One isolated place with a writable workspace."""

    @property
    def python_version(self) -> tuple[int, int, int]:
        """The interpreter inside."""
        ...

    def unpack(self, archive: bytes) -> int:
        """Extract a tar archive into the workspace; returns the number of members.

        Raises:
            SandboxError: the archive was refused or the sandbox failed.
        """
        ...

    def exec(
        self,
        argv: Sequence[str],
        *,
        timeout_s: float,
        environment: Mapping[str, str] | None = None,
        changes: Mapping[str, bytes] | None = None,
        keep_end: bool = False,
    ) -> ExecResult:
        """Run ``argv`` in the workspace, standard input closed, every descendant killed at its end.

        ``changes`` are whole file contents by relative path, undone before the call returns. Of each output
        ``Limits.output_bytes`` are kept: the first, or with ``keep_end`` the last.

        Raises:
            SandboxLost: the sandbox died or stopped answering.
        """
        ...

    def order(
        self, header: Mapping[str, Any], body: bytes = b"", *, needed: Callable[[], bool] | None = None
    ) -> Mapping[str, Any]:
        """Send one of the runner's orders (see ``sandbox.runner.server``) and wait for its answer.

        Raises:
            SandboxLost: the sandbox died or stopped answering, or its answer is not ``needed`` any more: that
                is asked about every second.
            SandboxError: the runner answered with an error.
        """
        ...


class SandboxOpener(Protocol):
    """Opens sandboxes of one kind."""

    @property
    def name(self) -> str:
        """What the self-check knows it by."""
        ...

    def open(self, spec: SandboxSpec) -> AbstractContextManager[Sandbox]:
        """A new sandbox; gone, with everything in it, when the context ends.

        It also goes when this process dies, however it dies.

        Raises:
            SandboxError: it could not be started.
        """
        ...


class SandboxProvider(SandboxOpener, Protocol):
    """Makes sandboxes of one kind; its name is one of ``sandbox.providers.KINDS``."""

    @property
    def isolated(self) -> bool:
        """Whether the provider is a security boundary."""
        ...

    def check(self) -> None:
        """Return if the provider can work here.

        Raises:
            SandboxUnavailable: with what to install or start.
        """
        ...

    def describe(self) -> str:
        """What is used, in a few words with its version.

        Raises:
            SandboxUnavailable: as ``check``.
        """
        ...

    def sweep(self) -> int:
        """Remove what dead runs of this machine left behind; returns how many things.

        Never touches what belongs to a live run, to another machine or to another user.
        """
        ...
