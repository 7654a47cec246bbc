"""What the caller chooses about an environment, what builds it for a kind of sandboxes, and what it gets."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, Self

from sandbox.base import Limits, SandboxProvider, SandboxSpec
from sandbox.environment.built import Built, InstallReport, read_built, read_report
from sandbox.environment.cache import EnvironmentCache
from sandbox.environment.plans.plan import BuildPlan
from sandbox.environment.steps import BUILT_ARCHIVE, BUILT_REPORT, INSTALL_REPORT
from sandbox.snapshot import Snapshot

BUILD_TIMEOUT_S = 1800.0
BUILD_LIMITS = Limits(memory_mib=8192, processes=1024, disk_mib=16384)
Notify = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrides:
    """What is not to be detected; an empty text leaves the choice open.

    ``setup_command`` runs in place of the detected steps. ``sandbox_image`` is used as it is (with pytest
    added where it has none), ``base_image`` is what an image is built on. ``python`` is an interpreter: a
    path of this machine, or a command of the image; it is used as it is, nothing is built for it.
    ``virtual_env`` is the environment that the caller has activated. ``network`` are the variables that a
    build gets to reach its packages: proxies, certificates, an index; whatever stands in them, the code
    that is built can read.
    """

    setup_command: str = ""
    sandbox_image: str = ""
    base_image: str = ""
    python: str = ""
    virtual_env: str = ""
    network: Mapping[str, str] = field(default_factory=dict)
    timeout_s: float = BUILD_TIMEOUT_S


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedEnvironment:
    """What the tests run with.

    ``snapshot`` goes into every sandbox: the project's files, and what a build made beside them.
    ``variables`` are for the test process (``SandboxTestbeds.environment``). ``explanation`` says what was
    decided and why, a line each; ``name`` is the plan's. ``left_out`` says in a sentence each what could not
    be installed; ``installed`` are the versions by normalised name, as far as they are known. ``seconds`` is
    how long building took, 0 where nothing was built.
    """

    spec: SandboxSpec
    snapshot: Snapshot
    variables: Mapping[str, str] = field(default_factory=dict)
    explanation: str = ""
    name: str = ""
    left_out: tuple[str, ...] = ()
    installed: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def summary(self) -> str:
        """The plan's name and what could not be installed, on one line."""
        return "; ".join((self.name, *self.left_out) if self.name else self.left_out)


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
    """A built environment; ``fresh`` where it was not there before.

    ``workspace`` is where each sandbox has the project; empty where that varies.
    """

    spec: SandboxSpec
    built: Built
    report: InstallReport
    workspace: str
    fresh: bool

    @classmethod
    def of(
        cls,
        plan: BuildPlan,
        spec: SandboxSpec,
        read: Callable[[str], bytes],
        *,
        workspace: str = WORKSPACE,
        fresh: bool,
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
        return cls(spec=spec, built=built, report=report, workspace=workspace, fresh=fresh)


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
