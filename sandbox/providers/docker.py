"""Registers ``sandbox.docker``."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from sandbox.providers.kind import KnownGap, ProviderKind, Traits, gaps

if TYPE_CHECKING:
    from sandbox.base import SandboxProvider, SandboxSpec
    from sandbox.docker import DockerProvider
    from sandbox.environment.builder import BuildRequest, Overrides
    from sandbox.environment.image_builder import ImageBuilder
    from sandbox.selfcheck.builds import Builds


def _no_closed_routes() -> bool:
    from sandbox.environment.close_routes import can_be_closed

    return not can_be_closed()


class Docker(ProviderKind):
    """Containers of an engine."""

    name = "docker"
    rank = 1
    from_image = True
    build_traits = Traits(
        gaps={
            "network-metadata": KnownGap(
                reason="a build looks names up where the keys are",
                where="where the machine's name server is its metadata service",
                applies=_no_closed_routes,
            ),
            **gaps("a build reaches what the engine's network reaches", "network-host"),
        },
        # What a build writes goes into its image; everybody may write the one place of a distribution.
        writable=("/workspace", "/run/lock"),
        # An engine gives a build no other bounding set; without new privileges nothing can be gained from it.
        bounded=False,
    )

    def make(self, resources: ExitStack, *, runtime: str = "") -> DockerProvider:
        """See ``ProviderKind.make``."""
        from sandbox.docker import DockerProvider

        provider = DockerProvider(runtime=runtime or None)
        resources.callback(provider.close)
        return provider

    def builds(self, provider: SandboxProvider) -> Builds:
        """See ``ProviderKind.builds``."""
        from sandbox.selfcheck.builds import docker_builds

        return docker_builds(_engine(provider))

    def runtimes(self, provider: SandboxProvider) -> tuple[str, ...]:
        """See ``ProviderKind.runtimes``."""
        return _engine(provider).runtimes()

    def image(self, provider: SandboxProvider, spec: SandboxSpec) -> str:
        """See ``ProviderKind.image``."""
        return f"image {_engine(provider).digest(spec.image)}"

    def plain(self, provider: SandboxProvider, overrides: Overrides) -> SandboxSpec:
        """See ``ProviderKind.plain``."""
        from sandbox.environment.image_builder import plain

        return plain(_engine(provider), overrides)

    def builder(self, request: BuildRequest) -> ImageBuilder:
        """See ``ProviderKind.builder``."""
        from sandbox.environment.image_builder import ImageBuilder

        return ImageBuilder(request, _engine(request.provider))


def _engine(provider: SandboxProvider) -> DockerProvider:
    from sandbox.docker import DockerProvider

    assert isinstance(provider, DockerProvider)
    return provider


KIND = Docker()
