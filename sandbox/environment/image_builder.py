"""Environments in an engine's images."""

from dataclasses import dataclass
from functools import cached_property

from sandbox.base import SandboxSpec
from sandbox.docker import DockerProvider
from sandbox.environment.builder import BuildRequest, FinishedBuild, Overrides
from sandbox.environment.docker_build import ImageBuild, base_version
from sandbox.environment.dockerfile import SUPERVISOR_PYTHON
from sandbox.environment.images import DEFAULT_IMAGE, IMAGE_PYTHON, default_images, docker_image
from sandbox.environment.plans.plan import BuildPlan
from sandbox.machine import DEFAULT_PATH


def plain(provider: DockerProvider, overrides: Overrides, image: str = "") -> SandboxSpec:
    """``image``, or the one that ``overrides`` choose, with pytest in it."""
    python = overrides.python or IMAGE_PYTHON
    base = image or overrides.sandbox_image or overrides.base_image or DEFAULT_IMAGE
    return SandboxSpec(python=python, image=docker_image(provider, base, python=python))


@dataclass(frozen=True)
class ImageBuilder:
    """See ``EnvironmentBuilder``."""

    request: BuildRequest
    provider: DockerProvider

    @cached_property
    def _images(self) -> dict[str, str]:
        """The base image for each version of Python."""
        overrides = self.request.overrides
        base = overrides.sandbox_image or overrides.base_image
        python = overrides.python or IMAGE_PYTHON
        return {base_version(self.provider, base, python): base} if base else default_images()

    @property
    def available(self) -> tuple[str, ...]:
        """See ``EnvironmentBuilder.available``: there is an image for each."""
        return tuple(self._images)

    def fetch(self, version: str) -> bool:  # noqa: ARG002
        """See ``EnvironmentBuilder.fetch``: what there is no image for cannot be had."""
        return False

    def named(self) -> tuple[SandboxSpec, str] | None:
        """See ``EnvironmentBuilder.named``."""
        image = self.request.overrides.sandbox_image
        if not image:
            return None
        return plain(self.provider, self.request.overrides), f"the image {image}, as it was named"

    def ready(self, plan: BuildPlan) -> tuple[SandboxSpec, str] | None:
        """See ``EnvironmentBuilder.ready``: an image with pytest, where the plan asks for nothing else."""
        if not plan.trivial:
            return None
        image = self._images[plan.python.version]
        return plain(self.provider, self.request.overrides, image), plan.explain()

    def build(self, plan: BuildPlan, *, timeout_s: float) -> FinishedBuild:
        """See ``EnvironmentBuilder.build``."""
        build = ImageBuild(
            request=self.request,
            provider=self.provider,
            plan=plan,
            base=self._images[plan.python.version],
            timeout_s=timeout_s,
        )
        fresh = not build.exists()
        if fresh:
            build.run()
        spec = SandboxSpec(
            python=build.layout.environment_python,
            base_python=SUPERVISOR_PYTHON,
            image=build.tag(),
            environment={"PATH": f"{build.layout.home}/env/bin:{DEFAULT_PATH}"},
        )
        return FinishedBuild.of(plan, spec, build.read, fresh=fresh)
