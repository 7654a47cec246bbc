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
from sandbox.ci.installs import has_package
from sandbox.ci.job_choice import TestJob, choose_job
from sandbox.environment.builder import (
    BuildRequest,
    EnvironmentBuilder,
    FinishedBuild,
    Notify,
    Overrides,
    PreparedEnvironment,
)
from sandbox.environment.cache import EnvironmentCache
from sandbox.environment.declarations.pyproject import import_roots
from sandbox.environment.plans.candidate_plans import CiRecord, Plans, candidate_plans
from sandbox.environment.plans.plan import BuildPlan
from sandbox.environment.plans.planner import plan_environment
from sandbox.environment.plans.python_version import KNOWN_VERSIONS
from sandbox.errors import EnvironmentBuildFailed
from sandbox.providers import KINDS
from sandbox.snapshot import Snapshot


def prepare_environment(  # noqa: PLR0913 - what is known of one
    snapshot: Snapshot,
    provider: SandboxProvider,
    *,
    overrides: Overrides,
    cache_directory: Path,
    notify: Notify,
    needed: tuple[str, ...] = (),
) -> PreparedEnvironment:
    """What the tests of the project in ``snapshot`` run with in sandboxes of ``provider``.

    The first plan that can be carried out is, with the requirements ``needed``; ``Environments`` gives the
    others as well.

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
    if not needed and environments.fixed:
        return environments.fixed
    if needed and (named := environments.named):
        return named
    failure: EnvironmentBuildFailed | None = None
    for plan in environments.candidates.plans:
        try:
            return environments.build(plan.with_needed(needed))
        except EnvironmentBuildFailed as error:
            notify(f"not {plan.name}: {error}")
            failure = failure or error
    missing = "no Python was found to build an environment with: install python3"
    raise failure or EnvironmentBuildFailed(missing)


@dataclass(frozen=True, kw_only=True)
class Environments(BuildRequest):
    """The environments that one project can be given in sandboxes of ``provider``.

    ``record`` is what a log of its CI shows; ``as_of`` (RFC 3339) the time of an old checkout.
    """

    record: CiRecord = field(default_factory=CiRecord)
    as_of: str = ""
    _builds: list[float] = field(default_factory=list, init=False)  # what each took, in seconds

    @cached_property
    def fixed(self) -> PreparedEnvironment | None:
        """What is used as it is, with nothing built; None where one of the plans is needed.

        Raises:
            SandboxUnavailable: an image or an interpreter that was named cannot be had.
            SandboxError: the engine failed.
        """
        if self.overrides.setup_command:
            return None
        if self.named:
            return self.named
        first = next(iter(self.candidates.plans), None)
        ready = self._builder.ready(first) if first else None
        return self._as_it_is(*ready) if ready else None

    @cached_property
    def named(self) -> PreparedEnvironment | None:
        """The image or interpreter that somebody named; None where nobody did.

        Raises:
            SandboxUnavailable: it cannot be had.
        """
        found = None if self.overrides.setup_command else self._builder.named()
        return self._as_it_is(*found) if found else None

    @cached_property
    def candidates(self) -> Plans:
        """The plans, the likeliest first."""
        found = self._candidates(self._builder.available)
        missing = next((plan.python.missing for plan in found.plans), "")
        is_fetched = missing and self._builder.fetch(missing)
        return self._candidates(self._builder.available) if is_fetched else found

    @cached_property
    def job(self) -> TestJob | None:
        """The job of the project's workflows that runs the tests; None where none does."""
        if self.overrides.setup_command or self.overrides.python or self.overrides.sandbox_image:
            return choose_job(self.snapshot.files, available=KNOWN_VERSIONS, name=self.record.job)
        return self.candidates.job

    def _candidates(self, available: Sequence[str]) -> Plans:
        if not available:
            return Plans(plans=())
        if command := self.overrides.setup_command:
            return Plans(plans=(plan_environment(self.snapshot, available=available, setup_command=command),))
        return candidate_plans(self.snapshot, available=available, record=self.record, as_of=self.as_of)

    def build(self, plan: BuildPlan) -> PreparedEnvironment:
        """The environment of ``plan``, built unless it is there.

        All builds together take ``overrides.timeout_s`` at most.

        Raises:
            EnvironmentBuildFailed: the dependencies cannot be installed; the message says what to try.
            SandboxUnavailable: an image or an interpreter cannot be had.
            SandboxError: the engine failed.
        """
        self.show(plan)
        left = self.overrides.timeout_s - sum(self._builds)
        if left <= 0:
            used = f"the {self.overrides.timeout_s:g} s for building are used up"
            raise EnvironmentBuildFailed(f"{used}: allow more with --build-timeout")
        started = time.monotonic()
        try:
            made = self._builder.build(plan, timeout_s=left)
            return self._prepared(plan, made, time.monotonic() - started if made.fresh else 0.0)
        finally:
            self._builds.append(time.monotonic() - started)

    @cached_property
    def _builder(self) -> EnvironmentBuilder:
        return KINDS[self.provider.name].builder(self)

    def _as_it_is(self, spec: SandboxSpec, explanation: str) -> PreparedEnvironment:
        roots = self._roots(import_roots(self.snapshot.files))
        return PreparedEnvironment(
            spec=spec,
            snapshot=self.snapshot,
            variables={"PYTHONPATH": ":".join(root or "." for root in roots)} if roots else {},
            explanation=explanation,
        )

    def _roots(self, declared: Sequence[str]) -> tuple[str, ...]:
        """The directories of packages: those ``declared``, else the project's own where it is a package.

        A program that a test starts finds the package there, as it finds an installed one.
        """
        return tuple(root for root in declared if root) or (("",) if has_package(self.snapshot.files) else ())

    def _prepared(self, plan: BuildPlan, made: FinishedBuild, seconds: float) -> PreparedEnvironment:
        """The built environment; the packages' directories come first on the path."""
        for line in made.report.left_out:
            self.notify(line)
        roots = made.built.import_roots or self._roots(plan.import_roots)
        workspace = made.workspace
        places = [f"{workspace}/{root}".rstrip("/") if workspace else root or "." for root in roots]
        return PreparedEnvironment(
            spec=made.spec,
            snapshot=made.built.over(self.snapshot),
            variables={"PYTHONPATH": ":".join(places)} if places else {},
            explanation=plan.explain(),
            name=plan.name,
            left_out=made.report.left_out,
            installed=made.report.installed,
            seconds=seconds,
        )
