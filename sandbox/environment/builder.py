"""What prepares environments for one kind of sandboxes: from an image, or with this machine's Python."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, Self

from sandbox.base import SandboxProvider, SandboxSpec
from sandbox.environment.built import Built, InstallReport, read_built, read_report
from sandbox.environment.cache import EnvironmentCache
from sandbox.environment.plans.plan import BuildPlan
from sandbox.environment.request import Notify, Overrides
from sandbox.environment.steps import BUILT_ARCHIVE, BUILT_REPORT, INSTALL_REPORT
from sandbox.snapshot import Snapshot

WORKSPACE = "/workspace"


@dataclass(frozen=True, kw_only=True)
class BuildRequest:
    """The project in ``snapshot``, and what its environments are made for and with."""

    snapshot: Snapshot
    provider: SandboxProvider
    overrides: Overrides
    cache: EnvironmentCache
    notify: Notify

    def show(self, plan: BuildPlan) -> None:
        """Show the person who waits what ``plan`` is, line by line."""
        for line in plan.explain().splitlines():
            self.notify(line)


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedBuild:
    """A built environment. ``workspace`` is where each sandbox has the project; empty where that varies."""

    spec: SandboxSpec
    built: Built
    report: InstallReport
    workspace: str
    seconds: float

    @classmethod
    def of(
        cls,
        plan: BuildPlan,
        spec: SandboxSpec,
        read: Callable[[str], bytes],
        *,
        workspace: str = WORKSPACE,
        seconds: float,
    ) -> Self:
        """The result of ``plan``; ``read`` gives the files that its build left.

        Raises:
            ArchiveRefused: they are not what a build leaves.
        """
        built, report = Built(), InstallReport()
        if plan.whole_project:
            built = read_built(read(BUILT_ARCHIVE), read(BUILT_REPORT))
        if (plan.parts or plan.export) and not plan.setup_command:
            report = read_report(read(INSTALL_REPORT))
        return cls(spec=spec, built=built, report=report, workspace=workspace, seconds=seconds)


class EnvironmentBuilder(Protocol):
    """Every method raises SandboxUnavailable where an image or an interpreter cannot be had."""

    @property
    def available(self) -> Sequence[str]:
        """The versions of Python that an environment can be built with."""
        ...

    def fetch(self, version: str) -> bool:
        """Try to make ``version`` available."""
        ...

    def named(self) -> tuple[SandboxSpec, str] | None:
        """What the caller named, used as it is, and an explanation; None where nothing was named."""
        ...

    def ready(self, plan: BuildPlan) -> tuple[SandboxSpec, str] | None:
        """What fulfils ``plan`` with nothing built, and an explanation; None where nothing does."""
        ...

    def build(self, plan: BuildPlan, *, timeout_s: float) -> FinishedBuild:
        """The environment of ``plan``, built in ``timeout_s`` at most unless it is there.

        Raises:
            EnvironmentBuildFailed: the dependencies cannot be installed; the message says what to try.
            SandboxError: the engine failed.
        """
        ...
