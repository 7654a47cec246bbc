"""Gives each project the environment that its tests need, at the least cost.

Whatever the caller names is used as it is. Where an image or an interpreter already has what the first plan
asks for, nothing is built. Otherwise a plan is carried out once, and found again by its digest. Which of
several plans is the right one, only a run of the tests shows: that is the caller's choice.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from sandbox.base import SandboxProvider, SandboxSpec
from sandbox.ci.job_choice import TestJob, choose_job
from sandbox.docker import DockerProvider
from sandbox.environ import DEFAULT_PATH
from sandbox.environment.built import Built, InstallReport, summary
from sandbox.environment.cache import EnvironmentCache
from sandbox.environment.candidate_plans import Plans, candidate_plans
from sandbox.environment.ci_planner import CiRecord
from sandbox.environment.declared import name_of
from sandbox.environment.directory_build import DirectoryBuild
from sandbox.environment.docker_build import ImageBuild, base_version
from sandbox.environment.dockerfile import SUPERVISOR_PYTHON
from sandbox.environment.images import (
    IMAGE_PYTHON,
    default_images,
    docker_image,
    host_candidates,
    host_interpreter,
)
from sandbox.environment.interpreters import HostPython, equipped, fetch_python, host_pythons
from sandbox.environment.plan import BuildPlan
from sandbox.environment.planner import plan_environment
from sandbox.environment.pyproject import import_roots
from sandbox.environment.python_version import KNOWN_VERSIONS
from sandbox.environment.request import Notify, Overrides, PreparedEnvironment
from sandbox.errors import EnvironmentBuildFailed
from sandbox.snapshot import Snapshot

WORKSPACE = "/workspace"


def prepare_environment(
    snapshot: Snapshot,
    provider: SandboxProvider,
    *,
    overrides: Overrides,
    cache_directory: Path,
    notify: Notify,
) -> PreparedEnvironment:
    """What the tests of the project in ``snapshot`` run with in sandboxes of ``provider``.

    The first plan that can be carried out is; ``Environments`` gives the others as well.

    Raises:
        EnvironmentBuildFailed: the dependencies cannot be installed; the message says what to try.
        SandboxUnavailable: an image or an interpreter cannot be had.
        SandboxError: the engine failed.
    """
    environments = Environments(
        snapshot=snapshot,
        provider=provider,
        overrides=overrides,
        cache=EnvironmentCache(cache_directory),
        notify=notify,
    )
    if environments.fixed:
        return environments.fixed
    failure: EnvironmentBuildFailed | None = None
    for plan in environments.candidates.plans:
        try:
            return environments.build(plan)
        except EnvironmentBuildFailed as error:
            notify(f"not {plan.name}: {error}")
            failure = failure or error
    raise failure or EnvironmentBuildFailed(
        "no Python was found to build an environment with: install python3"
    )


@dataclass(frozen=True, kw_only=True)
class Environments:
    """The environments that one project can be given in sandboxes of ``provider``.

    ``record`` is what a log of its CI shows; ``as_of`` (RFC 3339) the time of an old checkout.
    """

    snapshot: Snapshot
    provider: SandboxProvider
    overrides: Overrides
    cache: EnvironmentCache
    notify: Notify
    record: CiRecord = field(default_factory=CiRecord)
    as_of: str = ""

    @cached_property
    def fixed(self) -> PreparedEnvironment | None:
        """What is used as it is, with nothing built; None where one of the plans is needed.

        Raises:
            SandboxUnavailable: an image or an interpreter that was named cannot be had.
            SandboxError: the engine failed.
        """
        overrides = self.overrides
        if overrides.setup_command:
            return None
        if isinstance(self.provider, DockerProvider):
            python = overrides.python or IMAGE_PYTHON
            if overrides.sandbox_image:
                image = docker_image(self.provider, overrides.sandbox_image, python=python)
                spec = SandboxSpec(python=python, image=image)
                return self._as_it_is(spec, f"the image {overrides.sandbox_image}, as it was named")
            first = next(iter(self.candidates.plans), None)
            if first and first.trivial:
                image = docker_image(self.provider, self._images[first.python.version], python=python)
                return self._as_it_is(SandboxSpec(python=python, image=image), first.explain())
            return None
        if overrides.python:
            python = host_interpreter(overrides.python, virtual_env=None)
            return self._as_it_is(SandboxSpec(python=python), f"the interpreter {python}, as it was named")
        return self._already_there()

    @cached_property
    def candidates(self) -> Plans:
        """The plans, the likeliest first."""
        found = self._candidates(self._available)
        missing = next((plan.python.missing for plan in found.plans), "")
        if missing and not isinstance(self.provider, DockerProvider) and not self.overrides.python:
            self.notify(f"fetching Python {missing}, which the project asks for")
            problem = fetch_python(missing)
            if problem:
                self.notify(f"Python {missing} cannot be had: {problem}")
                return found
            vars(self).pop("_host_pythons", None)
            return self._candidates(self._available)
        return found

    @cached_property
    def job(self) -> TestJob | None:
        """The job of the project's workflows that runs the tests; None where none does."""
        if self.overrides.setup_command or self.overrides.python or self.overrides.sandbox_image:
            return choose_job(self.snapshot.files, available=KNOWN_VERSIONS, name=self.record.job)
        return self.candidates.job

    def _candidates(self, available: Sequence[str]) -> Plans:
        if not available:
            return Plans(plans=())
        command = self.overrides.setup_command
        if command:
            plan = plan_environment(self.snapshot, available=available, setup_command=command)
            return Plans(plans=(plan,))
        return candidate_plans(self.snapshot, available=available, record=self.record, as_of=self.as_of)

    def build(self, plan: BuildPlan) -> PreparedEnvironment:
        """The environment of ``plan``, built unless it is there.

        Raises:
            EnvironmentBuildFailed: the dependencies cannot be installed; the message says what to try.
            SandboxUnavailable: an image or an interpreter cannot be had.
            SandboxError: the engine failed.
        """
        self._tell(plan)
        if isinstance(self.provider, DockerProvider):
            return self._image(self.provider, plan)
        return self._directory(plan)

    @cached_property
    def _host_pythons(self) -> tuple[HostPython, ...]:
        return host_pythons()

    @cached_property
    def _images(self) -> dict[str, str]:
        """The base image for each version of Python."""
        overrides = self.overrides
        base = overrides.sandbox_image or overrides.base_image
        assert isinstance(self.provider, DockerProvider)
        python = overrides.python or IMAGE_PYTHON
        return {base_version(self.provider, base, python): base} if base else default_images()

    @property
    def _available(self) -> tuple[str, ...]:
        if isinstance(self.provider, DockerProvider):
            return tuple(self._images)
        return tuple(python.version for python in self._host_pythons)

    def _image(self, provider: DockerProvider, plan: BuildPlan) -> PreparedEnvironment:
        build = ImageBuild(
            provider=provider,
            plan=plan,
            snapshot=self.snapshot,
            base=self._images[plan.python.version],
            overrides=self.overrides,
            notify=self.notify,
        )
        started = time.monotonic()
        fresh = not build.exists()
        if fresh:
            build.run()
        spec = SandboxSpec(
            python=build.layout.environment_python,
            base_python=SUPERVISOR_PYTHON,
            image=build.tag(),
            environment={"PATH": f"{build.layout.home}/env/bin:{DEFAULT_PATH}"},
        )
        seconds = time.monotonic() - started if fresh else 0.0
        return self._prepared(plan, spec, build.built(), build.installed(), WORKSPACE, seconds)

    def _directory(self, plan: BuildPlan) -> PreparedEnvironment:
        isolated = self.provider.isolated
        build = DirectoryBuild(
            cache=self.cache,
            plan=plan,
            snapshot=self.snapshot,
            python=_of_version(self._host_pythons, plan.python.version),
            overrides=self.overrides,
            notify=self.notify,
            isolated=isolated,
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
        seconds = time.monotonic() - started if fresh else 0.0
        workspace = WORKSPACE if isolated else ""
        return self._prepared(plan, spec, build.built(), build.installed(), workspace, seconds)

    def _already_there(self) -> PreparedEnvironment | None:
        """An interpreter of the host that can run the tests with nothing built; None where none can."""
        first = next(iter(self.candidates.plans), None)
        if first is None or first.whole_project or first.export or first.options or first.as_of:
            return None
        names = [name for requirement in first.wanted if (name := name_of(requirement))]
        for candidate in host_candidates(self.overrides.virtual_env):
            python = equipped(candidate, names)
            if python is None or (first.python.decided and first.python.version != python.version):
                continue
            if first.python.allows(python.version) and not python.lacks(first.wanted):
                self._tell(first)
                explanation = f"{first.explain()}\nall of it is in {python.executable}"
                return self._as_it_is(SandboxSpec(python=python.executable), explanation)
        return None

    def _tell(self, plan: BuildPlan) -> None:
        """Show the person who waits what ``plan`` is, line by line."""
        for line in plan.explain().splitlines():
            self.notify(line)

    def _as_it_is(self, spec: SandboxSpec, explanation: str) -> PreparedEnvironment:
        roots = [root for root in import_roots(self.snapshot.files) if root]
        return PreparedEnvironment(
            spec=spec,
            snapshot=self.snapshot,
            variables={"PYTHONPATH": ":".join(roots)} if roots else {},
            explanation=explanation,
        )

    def _prepared(  # noqa: PLR0913, PLR0917 - what a built environment is made of
        self,
        plan: BuildPlan,
        spec: SandboxSpec,
        built: Built,
        report: InstallReport,
        workspace: str,
        seconds: float,
    ) -> PreparedEnvironment:
        """The built environment; the packages' directories come first on the path."""
        left_out = summary(report.left_out)
        for line in left_out:
            self.notify(line)
        roots = built.import_roots or tuple(root for root in plan.import_roots if root)
        places = [f"{workspace}/{root}".rstrip("/") if workspace else root or "." for root in roots]
        return PreparedEnvironment(
            spec=spec,
            snapshot=built.over(self.snapshot),
            variables={"PYTHONPATH": ":".join(places)} if places else {},
            explanation=plan.explain(),
            name=plan.name,
            left_out=tuple(left_out),
            installed=report.installed,
            seconds=seconds,
        )


def _of_version(found: Sequence[HostPython], version: str) -> HostPython:
    return next((python for python in found if python.version == version), found[0])
