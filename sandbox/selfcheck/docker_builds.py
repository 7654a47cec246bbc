"""A step of a build in an engine as a sandbox for the checks: a RUN of a Dockerfile, as a build has it."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from sandbox.base import Sandbox, SandboxSpec
from sandbox.docker import DockerProvider, engine_errors
from sandbox.docker_images import with_machine_files
from sandbox.environment.build_network import closed_network
from sandbox.environment.dockerfile import HOME, SUPERVISOR_PYTHON, UV, WORKSPACE, context, dockerfile, line
from sandbox.environment.engine_build import StepFailed, build
from sandbox.environment.steps import BuildStep, Layout
from sandbox.errors import SandboxError
from sandbox.selfcheck.builds import Builds, BuildSteps

REPOSITORY = "regreen-self-check"
BUILD_TIMEOUT_S = 600.0
# What the engine says between a step's own words.
_OF_THE_ENGINE = ("Step ", " ---> ", "Removing intermediate container ", "Successfully ")


def builds(provider: DockerProvider) -> Builds:
    """Builds with the engine of ``provider``."""
    return Builds(name="docker build", open=partial(_opened, provider))


@contextmanager
def _opened(provider: DockerProvider, spec: SandboxSpec) -> Iterator[Sandbox]:
    """An image that is prepared as for a build, on which each step runs."""
    layout = Layout(home=HOME, workspace=WORKSPACE, python=spec.python, uv=UV)
    client = provider.client
    tag = f"{REPOSITORY}:{secrets.token_hex(8)}"
    try:
        text = dockerfile((), layout, base=with_machine_files(client, spec.image))
        archive = context(text, {"nothing": b""}, None)
        for _ in build(client, archive, timeout_s=BUILD_TIMEOUT_S, tag=tag):
            pass
        with closed_network(client, tag, SUPERVISOR_PYTHON, timeout_s=BUILD_TIMEOUT_S) as network:
            yield _Steps(client=client, image=tag, network=network)
    except StepFailed as error:
        raise SandboxError(f"cannot prepare a build on {spec.image}: {error}") from error
    except engine_errors() as error:
        raise SandboxError(f"the engine failed to build on {spec.image}: {error}") from error
    finally:
        with suppress(*engine_errors()):
            client.images.remove(tag, noprune=True)


@dataclass(frozen=True, slots=True)
class _Steps(BuildSteps):
    client: Any
    image: str
    network: str | None

    def step(
        self, argv: Sequence[str], variables: Mapping[str, str], timeout_s: float
    ) -> tuple[int | None, str]:
        """See ``BuildSteps.step``; the engine's own words are left out."""
        step = BuildStep(title="a check", argv=tuple(argv), directory=HOME, variables=variables)
        archive = context(f"FROM {self.image}\nRUN {line(step)}\n", {}, None)
        said = made = ""
        try:
            for event in build(
                self.client, archive, timeout_s=timeout_s, nocache=True, network_mode=self.network
            ):
                stream = str(event.get("stream") or "")
                said += "" if stream.startswith(_OF_THE_ENGINE) else stream
                made = str((event.get("aux") or {}).get("ID") or made)
        except StepFailed as error:
            return error.exit_status, said
        finally:
            if made:
                with suppress(*engine_errors()):
                    self.client.images.remove(made, noprune=True)
        return 0, said
