"""The promises of a run that a build shares. It has network, no supervisor, and no limits on its files."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from sandbox.base import ExecResult, Sandbox, SandboxOpener, SandboxProvider, SandboxSpec
from sandbox.errors import SandboxError
from sandbox.providers import KINDS

# By the names of their checks.
BUILD_CHECKS = (
    *("network-metadata", "network-loopback", "network-host", "network-abstract", "network-vsock"),
    *("engine-socket", "environment", "host-files", "host-processes"),
    *("write-outside", "kernel-files", "devices", "device-nodes"),
    *("not-root", "capabilities", "namespaces", "system-calls", "standard-input"),
)


def builds_of(provider: SandboxProvider) -> SandboxOpener | None:
    """The steps of builds for sandboxes of ``provider``, as sandboxes; None where these are not isolated."""
    return KINDS[provider.name].builds(provider)


@dataclass(frozen=True, slots=True, kw_only=True)
class Builds:
    """See ``base.SandboxOpener``: each command in what ``open`` gives is a step of a build."""

    name: str
    open: Callable[[SandboxSpec], AbstractContextManager[Sandbox]]


class BuildSteps(ABC):
    """A build as a sandbox, for the checks alone: each command is a step."""

    @property
    def python_version(self) -> tuple[int, int, int]:
        """Nobody asks a build."""
        raise SandboxError("a build names no version")

    def exec(
        self,
        argv: Sequence[str],
        *,
        timeout_s: float,
        environment: Mapping[str, str] | None = None,
        changes: Mapping[str, bytes] | None = None,
        keep_end: bool = False,  # noqa: ARG002 - it is what ``step`` keeps
    ) -> ExecResult:
        """Run a step."""
        assert not changes
        started = time.monotonic()
        status, said = self.step(argv, environment or {}, timeout_s)
        return ExecResult(
            exit_status=status,
            stdout=said.encode(),
            stderr=b"",
            seconds=time.monotonic() - started,
            timed_out=status is None,
            truncated=False,
        )

    @abstractmethod
    def step(
        self, argv: Sequence[str], variables: Mapping[str, str], timeout_s: float
    ) -> tuple[int | None, str]:
        """The exit status of a step, None where it was killed at its deadline, and what it said."""

    def unpack(self, archive: bytes) -> int:  # noqa: ARG002 - part of the Protocol
        """A build's files are written by the host."""
        raise SandboxError("a build takes no archive")

    def order(self, header: Mapping[str, Any], body: bytes = b"") -> Mapping[str, Any]:  # noqa: ARG002
        """There is no runner in a build."""
        raise SandboxError("a build takes no orders")
