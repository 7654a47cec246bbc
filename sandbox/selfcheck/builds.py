"""The steps of builds as sandboxes, for the promises of a run that a build shares.

A build has network, no supervisor, and no limits on its files. A step is a command in bubblewrap, or a RUN of
a Dockerfile, as a build has it.
"""

from __future__ import annotations

import secrets
import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from sandbox import leftovers, machine
from sandbox.base import ExecResult, Sandbox, SandboxOpener, SandboxProvider, SandboxSpec
from sandbox.docker import DockerProvider
from sandbox.docker_images import with_machine_files
from sandbox.docker_stream import engine_errors
from sandbox.environment.dockerfile import HOME, SUPERVISOR_PYTHON, UV, WORKSPACE, context, dockerfile, line
from sandbox.environment.engine_build import StepFailed, build, closed_network
from sandbox.environment.steps import BuildStep, Layout
from sandbox.environment.watched import confined, watch
from sandbox.errors import SandboxError
from sandbox.machine import scrubbed
from sandbox.providers import KINDS

# By the names of their checks.
BUILD_CHECKS = (
    *("network-metadata", "network-loopback", "network-host", "network-abstract", "network-vsock"),
    *("engine-socket", "environment", "host-files", "host-processes"),
    *("write-outside", "kernel-files", "devices", "device-nodes"),
    *("not-root", "capabilities", "namespaces", "system-calls", "standard-input"),
)
REPOSITORY = "regreen-self-check"
BUILD_TIMEOUT_S = 600.0
# What the engine says between a step's own words.
_OF_THE_ENGINE = ("Step ", " ---> ", "Removing intermediate container ", "Successfully ")

Step = Callable[[Sequence[str], Mapping[str, str], float], tuple[int | None, str]]
"""Runs a command with variables, for so many seconds: its status, None if it was killed, and what it said."""


def builds_of(provider: SandboxProvider) -> SandboxOpener | None:
    """The steps of builds for sandboxes of ``provider``, as sandboxes; None where these are not isolated."""
    return KINDS[provider.name].builds(provider)


@dataclass(frozen=True, slots=True, kw_only=True)
class Builds:
    """See ``base.SandboxOpener``: each command in what ``open`` gives is a step of a build."""

    name: str
    open: Callable[[SandboxSpec], AbstractContextManager[Sandbox]]


@dataclass(frozen=True, slots=True)
class _Build:
    """A build as a sandbox, for the checks alone: each command is a ``step``."""

    step: Step

    @property
    def python_version(self) -> tuple[int, int, int]:
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

    def unpack(self, archive: bytes) -> int:  # noqa: ARG002 - part of the Protocol
        raise SandboxError("a build takes no archive")

    def order(self, header: Mapping[str, Any], body: bytes = b"", **_needed: object) -> Mapping[str, Any]:  # noqa: ARG002
        raise SandboxError("a build takes no orders")


# In bubblewrap ------------------------------------------------------------------------------------


def bubblewrap_builds() -> Builds:
    """Builds in directories of this machine."""
    return Builds(name="bubblewrap build", open=_in_a_directory)


@contextmanager
def _in_a_directory(spec: SandboxSpec) -> Iterator[Sandbox]:
    """A directory that the steps can write, as the entry of a cache is."""
    with leftovers.directory() as home:
        yield _Build(partial(_in_bubblewrap, spec.python, home))


def _in_bubblewrap(
    python: str, home: str, argv: Sequence[str], variables: Mapping[str, str], timeout_s: float
) -> tuple[int | None, str]:
    """See ``Step``; the end of what it says is kept."""
    variables = scrubbed(variables, home=machine.HOME)
    with confined(python, readable={}, writable={home: home}, variables=variables) as around:
        done = watch(
            [*around.words, "/bin/sh", "-c", f"cd {shlex.quote(home)} && {shlex.join(argv)}"],
            environment={},
            timeout_s=timeout_s,
            descriptors=around.descriptors,
            connected=around.connected,
        )
    return done.exit_status, done.said


# In an engine -------------------------------------------------------------------------------------


def docker_builds(provider: DockerProvider) -> Builds:
    """Builds with the engine of ``provider``."""
    return Builds(name="docker build", open=partial(_in_an_image, provider))


@contextmanager
def _in_an_image(provider: DockerProvider, spec: SandboxSpec) -> Iterator[Sandbox]:
    """An image that is prepared as for a build, on which each step runs."""
    client = provider.client
    layout = Layout(home=HOME, workspace=WORKSPACE, python=spec.python, uv=UV)
    tag = f"{REPOSITORY}:{secrets.token_hex(8)}"
    try:
        text = dockerfile((), layout, base=with_machine_files(client, spec.image))
        archive = context(text, {"nothing": b""}, None)
        for _ in build(client, archive, timeout_s=BUILD_TIMEOUT_S, tag=tag):
            pass
        with closed_network(client, tag, SUPERVISOR_PYTHON, timeout_s=BUILD_TIMEOUT_S) as network:
            yield _Build(partial(_in_engine, client, tag, network))
    except StepFailed as error:
        raise SandboxError(f"cannot prepare a build on {spec.image}: {error}") from error
    except engine_errors() as error:
        raise SandboxError(f"the engine failed to build on {spec.image}: {error}") from error
    finally:
        with suppress(*engine_errors()):
            client.images.remove(tag, noprune=True)


def _in_engine(  # noqa: PLR0913, PLR0917 - the engine, and what a step is
    client: Any,  # noqa: ANN401 - it has no types
    image: str,
    network: str | None,
    argv: Sequence[str],
    variables: Mapping[str, str],
    timeout_s: float,
) -> tuple[int | None, str]:
    """See ``Step``; the engine's own words are left out."""
    step = BuildStep(title="a check", argv=tuple(argv), directory=HOME, variables=variables)
    archive = context(f"FROM {image}\nRUN {line(step)}\n", {}, None)
    said = made = ""
    try:
        for event in build(client, archive, timeout_s=timeout_s, nocache=True, network_mode=network):
            stream = str(event.get("stream") or "")
            said += "" if stream.startswith(_OF_THE_ENGINE) else stream
            made = str((event.get("aux") or {}).get("ID") or made)
    except StepFailed as error:
        return error.exit_status, said
    finally:
        if made:
            with suppress(*engine_errors()):
                client.images.remove(made, noprune=True)
    return 0, said
