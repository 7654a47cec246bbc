"""What a provider's module says of it: enough to choose and configure it, while nothing of it is loaded."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from sandbox.base import SandboxOpener, SandboxProvider, SandboxSpec
    from sandbox.environment.builder import BuildRequest, EnvironmentBuilder, Overrides


def _always() -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownGap:
    """Why a promise does not hold, and ``where`` (in words; ``applies`` says whether that is here)."""

    reason: str
    where: str = "everywhere"
    applies: Callable[[], bool] = _always

    @property
    def conditional(self) -> bool:
        """Whether it exists on some machines only."""
        return self.applies is not _always

    def __str__(self) -> str:
        return self.reason if not self.conditional else f"{self.reason} ({self.where})"


def gaps(reason: str, *names: str) -> dict[str, KnownGap]:
    """The same gap everywhere, for the checks ``names``."""
    return {name: KnownGap(reason=reason) for name in names}


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """What the self-check has to know: ``gaps`` by check, and what follows.

    ``writable`` are further places that may be written; ``bounded`` is whether the bounding set of
    capabilities is empty, too.
    """

    gaps: Mapping[str, KnownGap] = field(default_factory=dict)
    writable: tuple[str, ...] = ()
    bounded: bool = True


class ProviderKind(ABC):
    """One kind of sandboxes, registered by the ``KIND`` of its module.

    ``rank`` is its place in lists; ``--sandbox auto`` tries those that are ``isolated`` in this order.
    ``from_image`` says that an engine holds its images. Such a provider takes the options for images, and its
    engine limits a whole sandbox. The others use interpreters of this machine.
    """

    name: ClassVar[str]
    rank: ClassVar[int]
    help: ClassVar[str] = ""
    isolated: ClassVar[bool] = True
    from_image: ClassVar[bool] = False
    traits: ClassVar[Traits] = Traits()
    build_traits: ClassVar[Traits | None] = None

    @abstractmethod
    def make(self, resources: ExitStack, *, runtime: str = "") -> SandboxProvider:
        """A provider, which need not work here; ``resources`` closes what it holds."""

    def builds(self, provider: SandboxProvider) -> SandboxOpener | None:  # noqa: ARG002
        """The steps of builds for ``provider``, as sandboxes; None where these are not isolated."""
        return None

    def runtimes(self, provider: SandboxProvider) -> tuple[str, ...] | None:  # noqa: ARG002
        """The runtimes that the engine of ``provider`` has; None where there is no engine.

        Raises:
            SandboxUnavailable: no engine answers.
        """
        return None

    def image(self, provider: SandboxProvider, spec: SandboxSpec) -> str:  # noqa: ARG002
        """What the engine holds under the name of the image of ``spec``; empty where there is no engine.

        Raises:
            SandboxUnavailable: no engine answers, or it has no such image.
        """
        return ""

    def plain(self, provider: SandboxProvider, overrides: Overrides) -> SandboxSpec:  # noqa: ARG002
        """A sandbox with nothing of a project, and with pytest where the machine has it.

        Raises:
            SandboxUnavailable: an image or an interpreter cannot be had.
        """
        from sandbox.environment.host_builder import plain

        return plain(overrides)

    def builder(self, request: BuildRequest) -> EnvironmentBuilder:
        """What builds environments for the sandboxes of the provider in ``request``."""
        from sandbox.environment.host_builder import HostBuilder

        return HostBuilder(request)
