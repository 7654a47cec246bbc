"""Builds an environment as an image, through the engine's API.

The build has network. It has no secret: the engine gives it nothing of ours but the variables that were
named. What it made of the project is read from the image, which is never started for that.
"""

import io
import re
import tarfile
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from sandbox import machine
from sandbox.docker import DockerProvider
from sandbox.docker_images import prune, with_machine_files
from sandbox.docker_stream import engine_errors
from sandbox.environment.builder import BuildRequest
from sandbox.environment.built import LIMIT_BYTES
from sandbox.environment.dockerfile import (
    CONFINE,
    HOME,
    NOBODY,
    SUPERVISOR_PYTHON,
    UV,
    WORKSPACE,
    context,
    dockerfile,
    line,
)
from sandbox.environment.engine_build import StepFailed, build, closed_network
from sandbox.environment.failure import KEPT_OUTPUT, build_failed, needs_compiler
from sandbox.environment.images import present
from sandbox.environment.plans.plan import BuildPlan
from sandbox.environment.steps import UV_VERSION, BuildStep, Layout, input_files, steps
from sandbox.errors import ArchiveRefused, EnvironmentBuildFailed, SandboxError
from sandbox.snapshot import PlainHeader

REPOSITORY = "regreen-env"
LABEL = "regreen.environment"
_STEP = re.compile(r"Step \d+/\d+ : (.*)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageBuild:
    """The image for ``plan`` on ``base``, with the engine of ``provider``."""

    request: BuildRequest
    provider: DockerProvider
    plan: BuildPlan
    base: str
    timeout_s: float

    @property
    def layout(self) -> Layout:
        """Where things lie in the image."""
        return Layout(
            home=HOME,
            workspace=WORKSPACE,
            python=self.request.overrides.python or "python3",
            uv=UV,
            pin=WORKSPACE,
            system_packages=bool(self.request.overrides.sandbox_image),
        )

    def tag(self) -> str:
        """The image's name, made of all that it depends on.

        Raises:
            SandboxUnavailable: the base image cannot be had.
        """
        variables = (f"{name}={value}" for name, value in sorted(self.request.overrides.network.items()))
        # A tag can move: the base's own id is what the result depends on.
        base_id = str(present(self.provider, self.base).id)
        inputs = (machine.digest(), self.layout.python, UV_VERSION, SUPERVISOR_PYTHON, CONFINE)
        return f"{REPOSITORY}:{self.plan.digest('docker', base_id, *inputs, *variables)}"

    def exists(self) -> bool:
        """Whether the image is there already."""
        return bool(self.provider.client.images.list(name=self.tag()))

    def run(self) -> None:
        """Build the image.

        Raises:
            EnvironmentBuildFailed: a step failed.
            SandboxUnavailable: the base image cannot be had.
            SandboxError: the engine failed.
        """
        toolchain, end = self.plan.toolchain, time.monotonic() + self.timeout_s
        try:
            try:
                self._build(toolchain, end)
            except EnvironmentBuildFailed as error:
                # A dependency that comes without a wheel: nothing in the project shows it.
                if toolchain or self.plan.setup_command or not needs_compiler(error.output):
                    raise
                self.request.notify("a dependency has to be compiled: once more, with a compiler")
                self._build("a C compiler", end)
            prune(self.provider.client, filters={"label": LABEL})
        except engine_errors() as error:
            raise SandboxError(
                f"the engine failed to build an environment on {self.base}: {error}"
            ) from error

    def _build(self, toolchain: str, end: float) -> None:
        layout, tag = replace(self.layout, can_add_compiler=not toolchain), self.tag()
        as_root = bool(self.plan.setup_command)
        todo = {line(step, as_root=as_root): step for step in steps(self.plan, layout)}
        base = with_machine_files(self.provider.client, self.base)
        text = dockerfile(
            tuple(todo.values()),
            layout,
            base=base,
            as_root=as_root,
            toolchain=toolchain,
            variables=tuple(self.request.overrides.network),
        )
        project = self.request.snapshot if self.plan.whole_project else None
        archive = context(text, input_files(self.plan, self.request.snapshot, layout), project)
        timeout_s = max(1.0, end - time.monotonic())
        with closed_network(self.provider.client, base, layout.python, timeout_s=timeout_s) as network:
            if network is None:
                self.request.notify(
                    "the engine does not let a build's network be closed: see docs/sandbox.md"
                )
            self._follow(archive, todo, end, network_mode=network, tag=tag)

    def _follow(
        self, archive: bytes, todo: Mapping[str, BuildStep], end: float, *, tries: int = 2, **options: object
    ) -> None:
        """Build ``archive``, and say which step is under way; ``tries`` times where the engine itself fails.

        All of it ends at the time ``end``.

        Raises:
            EnvironmentBuildFailed: a step failed.
            docker.errors.DockerException: the engine failed, or another of ``engine_errors``.
        """
        command, output = "docker build", ""
        try:
            for event in build(
                self.provider.client,
                archive,
                timeout_s=max(1.0, end - time.monotonic()),
                labels={LABEL: self.tag().rpartition(":")[2]},
                buildargs=dict(self.request.overrides.network),
                **options,
            ):
                said = str(event.get("stream") or "")
                if started := _STEP.match(said):
                    command, output = started[1].strip().removeprefix("RUN "), ""
                    if step := todo.get(command):
                        command = step.shown
                        self.request.notify(step.title)
                output = (output + said)[-KEPT_OUTPUT:]  # of what may have no end
        except StepFailed as error:
            if error.exit_status is None:
                raise build_failed(command, output, reason=str(error)) from error
            if error.by_engine and tries > 1:
                self.request.notify("the engine failed in a step of its own: the build is started once more")
                self._follow(archive, todo, end, tries=tries - 1, **options)
                return
            raise build_failed(command, output + str(error)) from error

    def read(self, name: str) -> bytes:
        """The file ``name`` that the build left.

        Raises:
            ArchiveRefused: it cannot be read.
            SandboxError: the engine failed.
        """
        try:
            return read_file(self.provider.client.api, self.tag(), f"{HOME}/{name}")
        except engine_errors() as error:
            raise SandboxError(f"cannot read what the build made of the project: {error}") from error


def base_version(provider: DockerProvider, base: str, python: str) -> str:
    """The version of the Python in ``base``, like ``3.12``.

    Raises:
        SandboxUnavailable: the image cannot be had.
        SandboxError: it has no such Python.
    """
    image = present(provider, base)
    for variable in image.attrs.get("Config", {}).get("Env") or ():
        if variable.startswith("PYTHON_VERSION="):
            return ".".join(variable.partition("=")[2].split(".")[:2])
    try:
        answer = provider.client.containers.run(
            base,
            entrypoint=[python],
            command=["-I", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"],
            network_disabled=True,
            remove=True,
            user=NOBODY,
        )
    except engine_errors() as error:
        raise SandboxError(f"the image {base} has no working {python}: {error}") from error
    return bytes(answer).decode("ascii", "replace").strip()


TRIES = 3


def read_file(api: Any, image: str, path: str) -> bytes:  # noqa: ANN401 - the client has no types
    """The content of the file at ``path`` (absolute) of ``image``; empty for what is no plain file.

    A busy engine now and then sends an archive without the file whose size it has just named: then the
    file is read again, from another container.

    Raises:
        ArchiveRefused: the archive cannot be read.
        SandboxError: the file is too large.
        docker.errors.DockerException: the engine failed, or another of ``engine_errors``.
    """
    for _ in range(TRIES):
        container = api.create_container(image=image, command=["true"], network_disabled=True)["Id"]
        try:
            chunks, stat = api.get_archive(container, path)
            data = _one_file(chunks)
        finally:
            with suppress(*engine_errors()):
                api.remove_container(container, force=True, v=True)
        if len(data) == int(stat["size"]):
            break
    return data  # what still is unlike its size is no plain file: a link, say


def _one_file(chunks: Iterable[bytes]) -> bytes:
    """The file in the archive that the engine sends; empty when it holds something else."""
    data = bytearray()
    for chunk in chunks:
        data += chunk
        if len(data) > LIMIT_BYTES:
            raise SandboxError(f"the build left more than {LIMIT_BYTES} bytes beside the project's files")
    try:
        with tarfile.open(fileobj=io.BytesIO(bytes(data)), mode="r:", tarinfo=PlainHeader) as tar:
            first = tar.next()
            source = tar.extractfile(first) if first and first.isreg() else None
            return source.read() if source else b""
    except (tarfile.TarError, ValueError, OSError, RecursionError) as error:
        raise ArchiveRefused(f"what the build left cannot be read: {error}") from error
