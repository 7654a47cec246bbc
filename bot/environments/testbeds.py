"""Where the tests run: settings in; the sandbox that works here, with the project's environment, out."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from typing import TypeVar

from bot.config.build_variables import in_environment
from bot.config.settings import Settings
from bot.environments.own_plugins import without_unused
from bot.ports import Progress
from sandbox.base import SandboxProvider
from sandbox.environment.builder import Overrides, PreparedEnvironment
from sandbox.environment.prepare import prepare_environment
from sandbox.errors import SandboxUnavailable
from sandbox.providers import KINDS
from sandbox.reports import TestTimes
from sandbox.resolve import ResolvedCommand
from sandbox.snapshot import Snapshot
from sandbox.testing import SandboxTestbeds

_Used = TypeVar("_Used")


def testbeds(  # noqa: PLR0913 - what they are made of
    settings: Settings,
    snapshot: Snapshot,
    command: ResolvedCommand,
    progress: Progress,
    resources: ExitStack,
    *,
    needed: tuple[str, ...] = (),  # noqa: PT028 - this is no test
) -> SandboxTestbeds:
    """Testbeds with the first environment that can be built; ``resources`` closes what that needs.

    ``needed`` are requirements besides; those without a version are met by what the project brings.
    Nothing of the project is run to choose: see ``bot.environments.chooser`` for that.

    Raises:
        RegreenError: the settings cannot be used.
        sandbox.errors.SandboxError: no sandbox is to be had.
    """

    def prepare(provider: SandboxProvider) -> tuple[SandboxProvider, PreparedEnvironment]:
        return provider, prepare_environment(
            snapshot,
            provider,
            overrides=overrides(settings),
            cache_directory=settings.cache_directory / "environments",
            notify=lambda line: progress.stage("environment", line),
            needed=needed,
        )

    provider, prepared = with_sandbox(settings, progress, resources, prepare)
    return beds_of(settings, provider, prepared, command, progress)


def beds_of(
    settings: Settings,
    provider: SandboxProvider,
    prepared: PreparedEnvironment,
    command: ResolvedCommand,
    progress: Progress,
) -> SandboxTestbeds:
    """Testbeds in sandboxes of ``provider`` with the environment ``prepared``."""
    return SandboxTestbeds(
        provider=provider,
        spec=replace(prepared.spec, limits=settings.limits),
        snapshot=prepared.snapshot,
        command=without_unused(command, prepared.spec.python, prepared.snapshot.files),
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


def with_sandbox(
    settings: Settings, progress: Progress, resources: ExitStack, use: Callable[[SandboxProvider], _Used]
) -> _Used:
    """What ``use`` makes of the provider asked for, or of the first that works; never ``process`` unasked.

    Raises:
        SandboxUnavailable: none works here; the message says what to install or start.
        SandboxError: as ``use``.
    """
    reasons: list[str] = []
    for name in settings.providers:
        try:
            return use(_provider(name, settings, resources))
        except SandboxUnavailable as error:
            if len(settings.providers) == 1:
                raise
            progress.stage("sandbox", f"not {name}: {error}")
            reasons.append(f"{name}: {error}")
    raise SandboxUnavailable(
        f"no sandbox works here ({'; '.join(reasons)}). Install bubblewrap or start Docker; for code that "
        "you trust, --sandbox process runs it without isolation"
    )


def overrides(settings: Settings) -> Overrides:
    """What ``settings`` say about the environment."""
    return Overrides(
        setup_command=settings.setup_command,
        sandbox_image=settings.sandbox_image,
        base_image=settings.base_image,
        python=settings.sandbox_python,
        virtual_env=settings.virtual_env,
        network={**settings.build_environment, **in_environment(settings.secrets.build_secrets, {})},
        timeout_s=settings.build_timeout,
    )


def _provider(name: str, settings: Settings, resources: ExitStack) -> SandboxProvider:
    provider = KINDS[name].make(resources, runtime=settings.sandbox_runtime)
    provider.check()
    provider.sweep()
    return provider
