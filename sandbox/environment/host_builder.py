"""Environments with an interpreter of this machine, in directories."""

import time
from dataclasses import dataclass
from functools import cached_property

from sandbox.base import SandboxSpec
from sandbox.environ import DEFAULT_PATH
from sandbox.environment.builder import BuildRequest, FinishedBuild
from sandbox.environment.directory_build import DirectoryBuild
from sandbox.environment.images import host_candidates, host_interpreter
from sandbox.environment.interpreters import HostPython, equipped, fetch_python, host_pythons
from sandbox.environment.plans.plan import BuildPlan
from sandbox.environment.request import Overrides


def plain(overrides: Overrides) -> SandboxSpec:
    """The interpreter that ``overrides`` name, or one of this machine, with pytest where there is one."""
    return SandboxSpec(python=host_interpreter(overrides.python or None, virtual_env=overrides.virtual_env))


@dataclass(frozen=True)
class HostBuilder:
    """See ``EnvironmentBuilder``."""

    request: BuildRequest

    @cached_property
    def _pythons(self) -> tuple[HostPython, ...]:
        return host_pythons()

    @property
    def available(self) -> tuple[str, ...]:
        """See ``EnvironmentBuilder.available``: those of this machine."""
        return tuple(python.version for python in self._pythons)

    def fetch(self, version: str) -> bool:
        """See ``EnvironmentBuilder.fetch``; nothing is fetched where the caller named an interpreter."""
        if self.request.overrides.python:
            return False
        self.request.notify(f"fetching Python {version}, which the project asks for")
        if problem := fetch_python(version):
            self.request.notify(f"Python {version} cannot be had: {problem}")
            return False
        vars(self).pop("_pythons", None)
        return True

    def named(self) -> tuple[SandboxSpec, str] | None:
        """See ``EnvironmentBuilder.named``."""
        if not self.request.overrides.python:
            return None
        spec = plain(self.request.overrides)
        return spec, f"the interpreter {spec.python}, as it was named"

    def ready(self, plan: BuildPlan) -> tuple[SandboxSpec, str] | None:
        """See ``EnvironmentBuilder.ready``: an interpreter that can run the tests with nothing built."""
        if plan.whole_project or plan.export or plan.options or plan.as_of:
            return None
        for candidate in host_candidates(self.request.overrides.virtual_env):
            python = equipped(candidate)
            if python is None or (plan.python.decided and plan.python.version != python.version):
                continue
            if plan.python.allows(python.version) and not python.lacks(plan.wanted):
                self.request.show(plan)
                explanation = f"{plan.explain()}\nall of it is in {python.executable}"
                return SandboxSpec(python=python.executable), explanation
        return None

    def build(self, plan: BuildPlan, *, timeout_s: float) -> FinishedBuild:
        """See ``EnvironmentBuilder.build``."""
        request = self.request
        pythons = self._pythons
        build = DirectoryBuild(
            request=request,
            plan=plan,
            python=next((python for python in pythons if python.version == plan.python.version), pythons[0]),
            timeout_s=timeout_s,
        )
        started = time.monotonic()
        fresh = build.run()
        path = f"{build.home}/env/bin"
        spec = SandboxSpec(
            python=f"{path}/python",
            base_python=build.python.executable,
            readable=(str(build.home),),
            environment={"PATH": f"{path}:{DEFAULT_PATH}"},
        )
        return FinishedBuild.of(
            plan, spec, build.read, workspace=build.pin, seconds=time.monotonic() - started if fresh else 0.0
        )
