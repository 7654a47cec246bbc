"""Environments that are built without building: the plans, what comes of each, and what was asked."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from fakes.testbed import FakeTestbed, FakeTestbeds, ScriptedTestbed

from sandbox.base import SandboxSpec
from sandbox.ci.job_choice import TestJob
from sandbox.environment.builder import PreparedEnvironment
from sandbox.environment.plans.candidate_plans import Plans
from sandbox.environment.plans.plan import BuildPlan, Part
from sandbox.environment.plans.python_version import PythonChoice
from sandbox.errors import EnvironmentBuildFailed
from sandbox.snapshot import Snapshot


def plan(name: str, *requirements: str, **more: object) -> BuildPlan:
    """A plan that installs ``requirements``."""
    python = PythonChoice(version="3.12", reason="a test says so")
    parts = (Part(name="the tests", requirements=requirements or (name,)),)
    return BuildPlan(python=python, name=name, parts=parts, **more)  # type: ignore[arg-type]


@dataclass
class FakeProvider:
    """What an environment knows of its provider."""

    name: str = "fake"


@dataclass
class FakeEnvironments:
    """``sandbox.environment.prepare.Environments`` whose builds take no time.

    ``fails`` are the plans' names that cannot be built, with the reason; ``installed`` the versions by plan.
    """

    plans: Sequence[BuildPlan] = ()
    fixed: PreparedEnvironment | None = None
    job: TestJob | None = None
    snapshot: Snapshot = field(default_factory=lambda: Snapshot(entries=()))
    fails: Mapping[str, str] = field(default_factory=dict)
    installed: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    on_build: Callable[[BuildPlan], None] | None = None
    provider: FakeProvider = field(default_factory=FakeProvider)
    built: list[BuildPlan] = field(default_factory=list)

    @property
    def candidates(self) -> Plans:
        """See ``Environments``."""
        return Plans(plans=tuple(self.plans), job=self.job)

    def build(self, wanted: BuildPlan) -> PreparedEnvironment:
        """See ``Environments``."""
        self.built.append(wanted)
        if self.on_build:
            self.on_build(wanted)
        if wanted.name in self.fails:
            raise EnvironmentBuildFailed(self.fails[wanted.name])
        return prepared(wanted.name, self.snapshot, self.installed.get(wanted.name, {}))


def prepared(
    name: str = "", snapshot: Snapshot | None = None, installed: Mapping[str, str] | None = None
) -> PreparedEnvironment:
    """An environment that is there."""
    return PreparedEnvironment(
        spec=SandboxSpec(python="python3"),
        snapshot=snapshot or Snapshot(entries=()),
        name=name,
        installed=installed or {},
    )


class Sandboxes:
    """Testbeds by environment and command, and which of them are open.

    ``make`` gives the testbed for an environment and the text of a command.
    """

    def __init__(self, make: Callable[[PreparedEnvironment, str], FakeTestbed | ScriptedTestbed]) -> None:
        self._make = make
        self.all: list[FakeTestbeds] = []
        self.asked: list[tuple[str, str]] = []

    def of(self, environment: PreparedEnvironment, text: str) -> FakeTestbeds:
        """The testbeds; they note when one is opened and closed."""

        def make(_number: int) -> FakeTestbed | ScriptedTestbed:
            self.asked.append((environment.name, text))
            return self._make(environment, text)

        beds = FakeTestbeds(make)
        self.all.append(beds)
        return beds

    @property
    def open(self) -> int:
        """How many are open now."""
        return sum(len(beds.opened) - beds.closed for beds in self.all)
