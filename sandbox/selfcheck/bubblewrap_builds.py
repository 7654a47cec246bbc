"""A step of a build in bubblewrap as a sandbox for the checks."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sandbox import leftovers, machine
from sandbox.base import ExecResult, SandboxSpec
from sandbox.environ import scrubbed
from sandbox.environment.confined import confined
from sandbox.environment.watched import watch
from sandbox.errors import SandboxError
from sandbox.interpreter import Interpreter


class BubblewrapBuilds:
    """Each command is a step of a build in bubblewrap; for the checks alone."""

    name = "bubblewrap build"
    isolated = True

    @contextmanager
    def open(self, spec: SandboxSpec) -> Iterator[_Build]:
        """A directory that the steps can write, as the entry of a cache is."""
        with leftovers.directory() as home:
            yield _Build(python=spec.python, home=home)

    def check(self) -> None:
        """See ``BubblewrapProvider.check``."""

    def describe(self) -> str:
        """See ``SandboxProvider.describe``."""
        return "a step of a build in bubblewrap"

    def sweep(self) -> int:
        """The directory goes with the context."""
        return 0


@dataclass(frozen=True, slots=True)
class _Build:
    python: str
    home: str

    @property
    def python_version(self) -> tuple[int, int, int]:
        """See ``Sandbox.python_version``."""
        return Interpreter.of(self.python).version

    def exec(
        self,
        argv: Sequence[str],
        *,
        timeout_s: float,
        environment: Mapping[str, str] | None = None,
        changes: Mapping[str, bytes] | None = None,
        keep_end: bool = False,  # noqa: ARG002 - it is always the end
    ) -> ExecResult:
        """A step; the end of what it says is kept, and nothing can be laid over its files."""
        assert not changes
        variables = scrubbed(environment or {}, home=machine.HOME)
        started = time.monotonic()
        writable = {self.home: self.home}
        with confined(self.python, readable={}, writable=writable, variables=variables) as around:
            step = ["/bin/sh", "-c", f"cd {shlex.quote(self.home)} && {shlex.join(argv)}"]
            done = watch(
                [*around.words, *step],
                environment={},
                timeout_s=timeout_s,
                descriptors=around.descriptors,
                connected=around.connected,
            )
        return ExecResult(
            exit_status=done.exit_status,
            stdout=done.said.encode(),
            stderr=b"",
            seconds=time.monotonic() - started,
            timed_out=done.exit_status is None,
            truncated=False,
        )

    def unpack(self, archive: bytes) -> int:  # noqa: ARG002 - part of the Protocol
        """A build's files are written by the host."""
        raise SandboxError("a build takes no archive")

    def order(self, header: Mapping[str, Any], body: bytes = b"") -> Mapping[str, Any]:  # noqa: ARG002
        """There is no runner in a build."""
        raise SandboxError("a build takes no orders")
