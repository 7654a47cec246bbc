"""Gives each project the environment that its tests need, at the least cost.

Whatever the caller names is used as it is. Where an image or an interpreter already has what the plan
asks for, nothing is built. Otherwise the plan is carried out once, and found again by its digest.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sandbox.base import SandboxProvider, SandboxSpec
from sandbox.docker import DockerProvider
from sandbox.environ import DEFAULT_PATH
from sandbox.environment.built import Built
from sandbox.environment.cache import EnvironmentCache
from sandbox.environment.declared import name_of
from sandbox.environment.directory_build import DirectoryBuild
from sandbox.environment.docker_build import ImageBuild, base_version
from sandbox.environment.images import (
    IMAGE_PYTHON,
    default_images,
    docker_image,
    host_candidates,
    host_interpreter,
)
from sandbox.environment.interpreters import HostPython, equipped, host_pythons
from sandbox.environment.plan import BuildPlan
from sandbox.environment.planner import plan_environment
from sandbox.environment.pyproject import import_roots
from sandbox.environment.python_version import DEFAULT_VERSION
from sandbox.environment.request import Notify, Overrides, PreparedEnvironment
from sandbox.errors import EnvironmentBuildFailed
from sandbox.snapshot import Snapshot

WORKSPACE = "/workspace"


def prepare_environment(
    snapshot: Snapshot,
    provider: SandboxProvider,
    *,
    overrides: Overrides,
    cache_folder: Path,
    notify: Notify,
) -> PreparedEnvironment:
    """What the tests of the project in ``snapshot`` run with in sandboxes of ``provider``.

    ``cache_folder`` is where folders are kept; images are kept by the engine. ``notify`` gets a line for
    each step of a build.

    Raises:
        EnvironmentBuildFailed: the dependencies cannot be installed; the message says what to try.
        SandboxUnavailable: an image or an interpreter cannot be had.
        SandboxError: the engine failed.
    """
    preparing = _Preparing(
        snapshot=snapshot, overrides=overrides, cache=EnvironmentCache(cache_folder), notify=notify
    )
    if isinstance(provider, DockerProvider):
        return preparing.image(provider)
    return preparing.folder(isolated=provider.isolated)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Preparing:
    snapshot: Snapshot
    overrides: Overrides
    cache: EnvironmentCache
    notify: Notify

    def image(self, provider: DockerProvider) -> PreparedEnvironment:
        overrides = self.overrides
        python = overrides.python or IMAGE_PYTHON
        if overrides.sandbox_image and not overrides.setup_command:
            image = docker_image(provider, overrides.sandbox_image, python=python)
            return self._as_it_is(
                SandboxSpec(python=python, image=image),
                f"the image {overrides.sandbox_image}, as it was named",
            )
        base = overrides.sandbox_image or overrides.base_image
        images = {base_version(provider, base, python): base} if base else default_images()
        plan = self._plan(tuple(images))
        base = images[plan.python.version]
        if plan.trivial:
            image = docker_image(provider, base, python=python)
            return self._as_it_is(SandboxSpec(python=python, image=image), plan.explain())
        build = ImageBuild(
            provider=provider,
            plan=plan,
            snapshot=self.snapshot,
            base=base,
            overrides=overrides,
            notify=self.notify,
        )
        started = time.monotonic()
        fresh = not build.exists()
        if fresh:
            build.run()
        spec = SandboxSpec(
            python=build.layout.environment_python,
            image=build.tag(),
            environment={"PATH": f"{build.layout.home}/env/bin:{DEFAULT_PATH}"},
        )
        made = self._prepared(plan, spec, build.built() if plan.whole_project else Built(), WORKSPACE)
        return replace(made, seconds=time.monotonic() - started if fresh else 0.0)

    def folder(self, *, isolated: bool) -> PreparedEnvironment:
        overrides = self.overrides
        if overrides.python and not overrides.setup_command:
            python = host_interpreter(overrides.python, virtual_env=None)
            return self._as_it_is(SandboxSpec(python=python), f"the interpreter {python}, as it was named")
        if present := self._already_there():
            return present
        found = host_pythons()
        if not found:
            raise EnvironmentBuildFailed("no Python was found to build an environment with: install python3")
        plan = self._plan([python.version for python in found])
        started = time.monotonic()
        build = DirectoryBuild(
            cache=self.cache,
            plan=plan,
            snapshot=self.snapshot,
            python=_of_version(found, plan.python.version),
            overrides=overrides,
            notify=self.notify,
            isolated=isolated,
        )
        fresh = build.run()
        path = f"{build.home}/env/bin"
        spec = SandboxSpec(
            python=f"{path}/python",
            base_python=build.python.executable,
            readable=(str(build.home),),
            environment={"PATH": f"{path}:{DEFAULT_PATH}"},
        )
        made = self._prepared(
            plan, spec, build.built() if plan.whole_project else Built(), WORKSPACE if isolated else ""
        )
        return replace(made, seconds=time.monotonic() - started if fresh else 0.0)

    def _plan(self, available: Sequence[str]) -> BuildPlan:
        plan = self._made_plan(available)
        self._tell(plan)
        return plan

    def _made_plan(self, available: Sequence[str]) -> BuildPlan:
        return plan_environment(
            self.snapshot, available=available, setup_command=self.overrides.setup_command
        )

    def _tell(self, plan: BuildPlan) -> None:
        for line in plan.explain().splitlines():
            self.notify(line)

    def _already_there(self) -> PreparedEnvironment | None:
        """An interpreter of the host that can run the tests with nothing built; None where none can."""
        plan = self._made_plan([DEFAULT_VERSION])
        if plan.whole_project or plan.export or plan.options:
            return None
        names = [name for requirement in plan.wanted if (name := name_of(requirement))]
        for candidate in host_candidates(self.overrides.virtual_env):
            python = equipped(candidate, names)
            if python is None:
                continue
            plan = self._made_plan([python.version])
            if plan.python.allows(python.version) and not python.lacks(plan.wanted):
                self._tell(plan)
                explanation = f"{plan.explain()}\nall of it is in {python.executable}"
                return self._as_it_is(SandboxSpec(python=python.executable), explanation)
        return None

    def _as_it_is(self, spec: SandboxSpec, explanation: str) -> PreparedEnvironment:
        roots = [root for root in import_roots(self.snapshot.files) if root]
        return PreparedEnvironment(
            spec=spec,
            snapshot=self.snapshot,
            variables={"PYTHONPATH": ":".join(roots)} if roots else {},
            explanation=explanation,
        )

    def _prepared(
        self, plan: BuildPlan, spec: SandboxSpec, built: Built, workspace: str
    ) -> PreparedEnvironment:
        """The built environment; the packages' folders come first, by whole paths where they are known."""
        roots = built.import_roots or tuple(root for root in plan.import_roots if root)
        folders = [f"{workspace}/{root}".rstrip("/") if workspace else root or "." for root in roots]
        return PreparedEnvironment(
            spec=spec,
            snapshot=built.over(self.snapshot),
            variables={"PYTHONPATH": ":".join(folders)} if folders else {},
            explanation=plan.explain(),
        )


def _of_version(found: Sequence[HostPython], version: str) -> HostPython:
    return next((python for python in found if python.version == version), found[0])
