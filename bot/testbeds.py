"""Where the tests run: settings in; the sandbox that works here, with the project's environment, out."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace

from bot.ports import Progress
from bot.settings import Settings
from sandbox.base import SandboxProvider
from sandbox.bubblewrap import BubblewrapProvider
from sandbox.command import TestCommand
from sandbox.docker import DockerProvider
from sandbox.environment import Overrides, PreparedEnvironment, prepare_environment
from sandbox.errors import SandboxUnavailable
from sandbox.process import ProcessProvider
from sandbox.snapshot import Snapshot
from sandbox.testing import SandboxTestbeds
from sandbox.times import TestTimes


def testbeds(
    settings: Settings,
    snapshot: Snapshot,
    command: TestCommand,
    progress: Progress,
    resources: ExitStack,
) -> SandboxTestbeds:
    """What opens sandboxes for the project as ``settings`` ask; ``resources`` closes what that needs.

    Raises:
        RegreenError: the settings cannot be used.
        sandbox.errors.SandboxError: no sandbox is to be had.
    """
    provider, prepared = _sandbox(settings, snapshot, progress, resources)
    return SandboxTestbeds(
        provider=provider,
        spec=replace(prepared.spec, limits=settings.limits),
        snapshot=prepared.snapshot,
        command=command,
        environment=prepared.variables,
        times=TestTimes(
            test_s=settings.test_timeout,
            collect_s=min(settings.time_budget, settings.collect_timeout),
            suite_s=settings.suite_timeout,
        ),
        notify=lambda note: progress.stage("sandbox", note),
    )


def varied(beds: SandboxTestbeds, variables: Mapping[str, str]) -> SandboxTestbeds:
    """The same testbeds, in sandboxes with some variables of their own: a hash seed is read at the start."""
    return replace(beds, spec=replace(beds.spec, environment={**beds.spec.environment, **variables}))


def _sandbox(
    settings: Settings, snapshot: Snapshot, progress: Progress, resources: ExitStack
) -> tuple[SandboxProvider, PreparedEnvironment]:
    """The provider asked for, or the first boundary that works here; never ``process`` unasked."""
    reasons: list[str] = []
    for name in settings.providers:
        try:
            provider = _provider(name, settings, resources)
            return provider, _environment(provider, settings, snapshot, progress)
        except SandboxUnavailable as error:
            if len(settings.providers) == 1:
                raise
            progress.stage("sandbox", f"not {name}: {error}")
            reasons.append(f"{name}: {error}")
    raise SandboxUnavailable(
        f"no sandbox works here ({'; '.join(reasons)}). Install bubblewrap or start Docker; for code that "
        "you trust, --sandbox process runs it without isolation"
    )


def _provider(name: str, settings: Settings, resources: ExitStack) -> SandboxProvider:
    provider: SandboxProvider
    if name == "docker":
        docker = DockerProvider(runtime=settings.sandbox_runtime or None)
        resources.callback(docker.close)
        provider = docker
    else:
        provider = BubblewrapProvider() if name == "bubblewrap" else ProcessProvider()
    provider.check()
    provider.sweep()
    return provider


def _environment(
    provider: SandboxProvider, settings: Settings, snapshot: Snapshot, progress: Progress
) -> PreparedEnvironment:
    return prepare_environment(
        snapshot,
        provider,
        overrides=Overrides(
            setup_command=settings.setup_command,
            sandbox_image=settings.sandbox_image,
            base_image=settings.base_image,
            python=settings.sandbox_python,
            virtual_env=settings.virtual_env,
            network=settings.build_environment,
            timeout_s=settings.build_timeout,
        ),
        cache_folder=settings.cache_folder / "environments",
        notify=lambda line: progress.stage("environment", line),
    )
