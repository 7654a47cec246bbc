"""The sandboxes' part of ``regreen doctor``: which there are, and whether the one for repairs holds."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial

from bot.commands.doctor.diagnosis import Line, Section, Status, note, ok, problem
from bot.config.settings import Settings
from bot.environments.testbeds import overrides
from sandbox import cgroup
from sandbox.base import SandboxProvider, SandboxSpec
from sandbox.errors import SandboxError, SandboxUnavailable
from sandbox.providers import KINDS
from sandbox.selfcheck.builds import BUILD_CHECKS, builds_of
from sandbox.selfcheck.likeness.compare import Likened, Likeness, compare
from sandbox.selfcheck.model import CheckResult, CheckVerdict
from sandbox.selfcheck.run import CHECKS, MODEST_LIMITS, run_checks

GVISOR = "runsc"
LOCAL = " and ".join(kind.name for kind in KINDS.values() if not kind.from_image)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderCheck:
    """A provider as a repair would use it, or the ``problem`` that keeps it from being used."""

    name: str
    provider: SandboxProvider
    spec: SandboxSpec | None
    problem: str = ""


def check_sandboxes(settings: Settings, notify: Callable[[str], None]) -> tuple[list[Section], str]:
    """Look for sandboxes, and attack the first that a repair would use; with the name of that if it held."""
    with ExitStack() as resources:
        notify("looking for sandboxes")
        runtime = settings.sandbox_runtime
        providers = {name: kind.make(resources, runtime=runtime) for name, kind in KINDS.items()}
        found = _engines(settings, providers)
        checks = []
        for name in settings.providers:
            notify(f"preparing {name}")
            checks.append(_provider_check(name, providers[name], settings))
        checked, sandbox = _check(checks, notify)
        return [found, _interpreters(checks), *checked], sandbox


def _engines(settings: Settings, providers: dict[str, SandboxProvider]) -> Section:
    lines = []
    wanted = settings.providers
    for name, provider in providers.items():
        try:
            provider.check()
            found = [note(name, "always works, and is no security boundary")]
            if provider.isolated:
                found = [ok(name, provider.describe())]
            if (runtimes := KINDS[name].runtimes(provider)) is not None:
                found.append(_gvisor(runtimes))
        except SandboxUnavailable as error:
            needed = name in wanted and len(wanted) == 1
            found = [(problem if needed else note)(name, str(error))]
        lines += found
    lines.append(_control_groups())
    return Section(title="Sandboxes", lines=lines)


def _gvisor(runtimes: tuple[str, ...]) -> Line:
    detail = f"the engine's runtimes: {', '.join(runtimes)}"
    if GVISOR in runtimes:
        return ok(GVISOR, f"{detail}; REGREEN_SANDBOX_RUNTIME={GVISOR} chooses it")
    return note(GVISOR, f"gVisor is not installed; {detail}")


def _control_groups() -> Line:
    name = "control groups"
    if cgroup.available():
        return ok(name, f"{LOCAL} limit all processes together")
    return note(
        name,
        f"none can be made: {LOCAL} limit each process, not all together",
        advice="for limits on the whole sandbox use docker, or run in a systemd user session or as root",
    )


def _provider_check(name: str, provider: SandboxProvider, settings: Settings) -> ProviderCheck:
    try:
        provider.check()
        spec = _spec(provider, settings)
    except SandboxError as error:
        return ProviderCheck(name=name, provider=provider, spec=None, problem=str(error))
    return ProviderCheck(name=name, provider=provider, spec=spec)


def _spec(provider: SandboxProvider, settings: Settings) -> SandboxSpec:
    """What a repair would open, with limits that are quickly reached."""
    return replace(KINDS[provider.name].plain(provider, overrides(settings)), limits=MODEST_LIMITS)


def _interpreters(checks: list[ProviderCheck]) -> Section:
    """With which Python the tests would run."""
    lines = []
    for check in checks:
        name = f"{check.name}: Python"
        if check.spec is None:
            lines.append(note(name, check.problem))
            continue
        try:
            with check.provider.open(check.spec) as sandbox:
                version = ".".join(map(str, sandbox.python_version))
        except SandboxError as error:
            lines.append(problem(name, str(error)))
            continue
        where = f" in {check.spec.image}" if check.spec.image else ""
        lines.append(ok(name, f"{version}, {check.spec.python}{where}"))
    return Section(title="Interpreters", lines=lines)


def _check(checks: list[ProviderCheck], notify: Callable[[str], None]) -> tuple[list[Section], str]:
    """Attack the first sandbox that can be had, as a repair would choose it."""
    sections = []
    for check in checks:
        if check.spec is None:
            continue
        say = partial(_say, check.name, notify)
        try:
            results = run_checks(check.provider, check.spec, notify=say)
            builds = _check_builds(check.provider, check.spec, notify)
        except SandboxError as error:
            title = f"Self-check: {check.name}"
            sections.append(Section(title=title, lines=[problem(check.name, str(error))]))
            continue
        sections.append(_section(check.name, results, of=len(CHECKS)))
        if builds:
            sections.append(_section(f"{check.name} build", builds, of=len(BUILD_CHECKS)))
        notify(f"asking in {check.name} what tests ask of a machine")
        sections.append(_as_outside(check.provider, check.spec))
        failed = any(result.verdict is CheckVerdict.FAILED for result in (*results, *builds))
        return sections, check.name if check.provider.isolated and not failed else ""
    advice = "install bubblewrap, or start Docker; 'process' is for code that you trust"
    line = problem("self-check", "there is no sandbox to check", advice=advice)
    return [*sections, Section(title="Self-check", lines=[line])], ""


def _check_builds(
    provider: SandboxProvider, spec: SandboxSpec, notify: Callable[[str], None]
) -> list[CheckResult]:
    """Attack from a step of a build, where that is isolated."""
    builds = builds_of(provider)
    if builds is None:
        return []
    return run_checks(builds, spec, names=BUILD_CHECKS, notify=partial(_say, builds.name, notify))


def _say(name: str, notify: Callable[[str], None], result: CheckResult) -> None:
    notify(f"attacking {name}: {result.check} {result.verdict}")


def _section(name: str, results: list[CheckResult], *, of: int) -> Section:
    lines = [_line(result) for result in results]
    held = sum(result.verdict is CheckVerdict.PASSED for result in results)
    return Section(title=f"Self-check: {name}, {held} of {of} promises held", lines=lines)


def _as_outside(provider: SandboxProvider, spec: SandboxSpec) -> Section:
    """What tests ask of a machine: a line for each group of calls, and for each call answered otherwise."""
    title = f"As outside: {provider.name}"
    try:
        asked = compare(provider, spec)
    except SandboxError as error:
        return Section(title=title, lines=[problem(provider.name, str(error))])
    groups: dict[str, list[Likened]] = {}
    for likened in asked:
        groups.setdefault(likened.group, []).append(likened)
    lines = [
        ok(name, f"{_alike(found)} of {len(found)} calls are answered as outside")
        for name, found in groups.items()
    ]
    lines += [_likened(one) for one in asked if one.likeness in {Likeness.KNOWN, Likeness.UNLIKE}]
    return Section(title=f"{title}, {_alike(asked)} of {len(asked)} calls are answered alike", lines=lines)


def _alike(asked: Sequence[Likened]) -> int:
    return sum(one.likeness is Likeness.ALIKE for one in asked)


def _likened(one: Likened) -> Line:
    if one.likeness is Likeness.KNOWN:
        return note(one.call, f"otherwise: {one.reason}")
    return problem(
        one.call,
        f"otherwise: {one.detail}",
        advice="a test that asks so may fail in the sandbox only; please report this",
    )


def _line(result: CheckResult) -> Line:
    if result.verdict is CheckVerdict.PASSED:
        return ok(result.check, result.promise)
    if result.verdict is CheckVerdict.GAP:
        return Line(name=result.check, status=Status.GAP, detail=f"{result.promise} Not here: {result.gap}")
    return problem(
        result.check,
        f"{result.promise} Not so: {result.evidence}",
        advice="do not run untrusted code in this sandbox; please report this, it should have held",
    )
