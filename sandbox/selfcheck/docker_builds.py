"""A step of a build in an engine as a sandbox for the checks: a RUN of a Dockerfile, as a build has it."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from sandbox.base import ExecResult, SandboxSpec
from sandbox.docker import DockerProvider, engine_errors
from sandbox.docker_images import with_machine_files
from sandbox.environment.build_network import closed_network
from sandbox.environment.dockerfile import (
    HOME,
    SUPERVISOR_PYTHON,
    UV,
    WORKSPACE,
    context,
    dockerfile,
    line,
)
from sandbox.environment.engine_build import StepFailed, build
from sandbox.environment.steps import BuildStep, Layout
from sandbox.errors import SandboxError

REPOSITORY = "regreen-self-check"
BUILD_TIMEOUT_S = 600.0
# What the engine says between a step's own words.
_OF_THE_ENGINE = ("Step ", " ---> ", "Removing intermediate container ", "Successfully ")


class DockerBuilds:
    """Each command is a step of a build with the engine of ``provider``; for the checks alone."""

    name = "docker build"
    isolated = True

    def __init__(self, provider: DockerProvider) -> None:
        self._provider = provider

    @contextmanager
    def open(self, spec: SandboxSpec) -> Iterator[_Build]:
        """An image that is prepared as for a build, on which each step runs."""
        layout = Layout(home=HOME, workspace=WORKSPACE, python=spec.python, uv=UV)
        client = self._provider.client
        tag = f"{REPOSITORY}:{secrets.token_hex(8)}"
        try:
            text = dockerfile((), layout, base=with_machine_files(client, spec.image))
            archive = context(text, {"nothing": b""}, None)
            for _ in build(client, archive, timeout_s=BUILD_TIMEOUT_S, tag=tag):
                pass
            with closed_network(client, tag, SUPERVISOR_PYTHON, timeout_s=BUILD_TIMEOUT_S) as network:
                yield _Build(client=client, image=tag, network=network)
        except StepFailed as error:
            raise SandboxError(f"cannot prepare a build on {spec.image}: {error}") from error
        except engine_errors() as error:
            raise SandboxError(f"the engine failed to build on {spec.image}: {error}") from error
        finally:
            with suppress(*engine_errors()):
                client.images.remove(tag, noprune=True)

    def check(self) -> None:
        """See ``DockerProvider.check``."""
        self._provider.check()

    def describe(self) -> str:
        """See ``SandboxProvider.describe``."""
        return "a step of a build in docker"

    def sweep(self) -> int:
        """The engine removes what a step ran in."""
        return 0


@dataclass(frozen=True, slots=True)
class _Build:
    client: Any
    image: str
    network: str | None

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
        keep_end: bool = False,  # noqa: ARG002 - it is all of it
    ) -> ExecResult:
        """A step, without the engine's own words; nothing can be laid over its files."""
        assert not changes
        step = BuildStep(title="a check", argv=tuple(argv), directory=HOME, variables=environment or {})
        archive = context(f"FROM {self.image}\nRUN {line(step)}\n", {}, None)
        started, said, made = time.monotonic(), "", ""
        status: int | None = 0
        try:
            for event in build(
                self.client, archive, timeout_s=timeout_s, nocache=True, network_mode=self.network
            ):
                stream = str(event.get("stream") or "")
                said += "" if stream.startswith(_OF_THE_ENGINE) else stream
                made = str((event.get("aux") or {}).get("ID") or made)
        except StepFailed as error:
            status = error.exit_status
        finally:
            if made:
                with suppress(*engine_errors()):
                    self.client.images.remove(made, noprune=True)
        return ExecResult(
            exit_status=status,
            stdout=said.encode(),
            stderr=b"",
            seconds=time.monotonic() - started,
            timed_out=status is None,
            truncated=False,
        )

    def unpack(self, archive: bytes) -> int:  # noqa: ARG002 - part of the Protocol
        """A build's files are part of its context."""
        raise SandboxError("a build takes no archive")

    def order(self, header: Mapping[str, Any], body: bytes = b"") -> Mapping[str, Any]:  # noqa: ARG002
        """There is no runner in a build."""
        raise SandboxError("a build takes no orders")
