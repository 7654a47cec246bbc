"""``regreen doctor``: looks at what a repair needs on this machine, and attacks the sandbox to see it hold.

Each part is a function that returns a section. It changes nothing, save that Docker's image is built if a
repair would have built it.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bot import __version__
from bot.action_settings import Place
from bot.diagnosis import Diagnosis, Line, Section, Status
from bot.github_check import check_github
from bot.model_check import check_models
from bot.options import OPTIONS
from bot.project_check import check_project
from bot.settings import Settings
from sandbox import cgroup, environment
from sandbox.base import SandboxProvider, SandboxSpec
from sandbox.bubblewrap import BubblewrapProvider
from sandbox.docker import DockerProvider
from sandbox.errors import SandboxError, SandboxUnavailable
from sandbox.process import ProcessProvider
from sandbox.selfcheck import CHECKS, MODEST_LIMITS, CheckResult, Verdict, run_checks

GIB = 1 << 30
GVISOR = "runsc"
NAMES = ("docker", "bubblewrap", "process")


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A provider as a repair would use it, or the ``problem`` that keeps it from being used."""

    name: str
    provider: SandboxProvider
    spec: SandboxSpec | None
    problem: str = ""


def diagnose(
    settings: Settings,
    notify: Callable[[str], None],
    *,
    project: Path | None = None,
    place: Place | None = None,
) -> Diagnosis:
    """Look at everything; ``notify`` is told what is being done.

    ``project`` is a folder to look at too, and ``place`` the repository on GitHub, where there is one.
    """
    with ExitStack() as resources:
        notify("looking for sandboxes")
        providers = _providers(settings, resources)
        found = _engines(settings, providers)
        candidates = []
        for name in settings.providers:
            notify(f"preparing {name}")
            candidates.append(_candidate(name, providers[name], settings))
        checked, sandbox = _check(candidates, notify)
    models, github = check_models(settings, notify), check_github(settings, place, notify)
    sections = [_here(settings), found, _interpreters(candidates), *checked, models, github]
    if project:
        notify(f"reading {project}")
        sections.append(check_project(settings, project))
    return Diagnosis(sections=[*sections, _in_short(sandbox, models, github)], sandbox=sandbox)


def _in_short(sandbox: str, models: Section, github: Section) -> Section:
    """What works, a line each."""
    if sandbox:
        repair = Line(name="repair", status=Status.OK, detail=f"works here without a model, in {sandbox}")
    else:
        repair = Line(name="repair", status=Status.PROBLEM, detail="there is no secure sandbox to do it in")
    return Section(
        title="In short",
        lines=[repair, _summed("with a model", models), _summed("on GitHub", github)],
    )


def _summed(name: str, section: Section) -> Line:
    """The first problem of ``section``, else its first line."""
    problems = [line for line in section.lines if line.status is Status.PROBLEM]
    line = (problems or section.lines)[0]
    return Line(name=name, status=line.status, detail=f"{line.name}: {line.detail}")


def _here(settings: Settings) -> Section:
    """What runs, where it keeps what it keeps, and which keys it was given."""
    version = ".".join(map(str, sys.version_info[:3]))
    lines = [
        Line(name="regreen", status=Status.OK, detail=f"{__version__}, by Python {version}"),
        _folder("state", settings.state_folder, "checkpoints and trajectories"),
        _folder("cache", settings.cache_folder, "environments that were built"),
    ]
    for option in OPTIONS:
        if option.secret:
            held = bool(getattr(settings.secrets, option.field))
            detail = f"{'is set' if held else 'is not set'} ({' or '.join(option.variables)})"
            status = Status.OK if held else Status.NOTE
            lines.append(Line(name=option.name, status=status, detail=detail))
    return Section(title="Here", lines=lines)


def _folder(name: str, folder: Path, purpose: str) -> Line:
    """Whether ``folder``, which a repair would make, can be written, and how much room there is."""
    there = next(path for path in (folder, *folder.parents) if path.exists())
    free = f"{shutil.disk_usage(there).free / GIB:.1f} GiB"
    if there.is_dir() and os.access(there, os.W_OK | os.X_OK):
        return Line(name=name, status=Status.OK, detail=f"{folder}, {free} free: {purpose}")
    return Line(
        name=name,
        status=Status.PROBLEM,
        detail=f"{folder} cannot be written: {purpose}",
        advice=f"let yourself write {there}, or set XDG_{name.upper()}_HOME to a folder that you can write",
    )


def _providers(settings: Settings, resources: ExitStack) -> dict[str, SandboxProvider]:
    docker = DockerProvider(runtime=settings.sandbox_runtime or None)
    resources.callback(docker.close)
    return {"docker": docker, "bubblewrap": BubblewrapProvider(), "process": ProcessProvider()}


def _engines(settings: Settings, providers: dict[str, SandboxProvider]) -> Section:
    """Which sandboxes there are."""
    lines = []
    wanted = settings.providers
    for name in NAMES:
        provider = providers[name]
        try:
            provider.check()
        except SandboxUnavailable as error:
            needed = name in wanted and len(wanted) == 1
            status = Status.PROBLEM if needed else Status.NOTE
            lines.append(Line(name=name, status=status, detail=str(error)))
            continue
        lines.append(_engine(provider))
        if isinstance(provider, DockerProvider):
            lines.append(_gvisor(provider))
    lines.append(_control_groups())
    return Section(title="Sandboxes", lines=lines)


def _engine(provider: SandboxProvider) -> Line:
    if not provider.isolated:
        return Line(
            name=provider.name, status=Status.NOTE, detail="always works, and is no security boundary"
        )
    return Line(name=provider.name, status=Status.OK, detail=provider.describe())


def _gvisor(provider: DockerProvider) -> Line:
    runtimes = provider.runtimes()
    detail = f"the engine's runtimes: {', '.join(runtimes)}"
    if GVISOR in runtimes:
        return Line(name=GVISOR, status=Status.OK, detail=f"{detail}; --sandbox-runtime {GVISOR} chooses it")
    return Line(name=GVISOR, status=Status.NOTE, detail=f"gVisor is not installed; {detail}")


def _control_groups() -> Line:
    name = "control groups"
    if cgroup.available():
        return Line(name=name, status=Status.OK, detail="bubblewrap and process limit all processes together")
    return Line(
        name=name,
        status=Status.NOTE,
        detail="none can be made: bubblewrap and process limit each process, not all together",
        advice="for limits on the whole sandbox use docker, or run in a systemd user session or as root",
    )


def _candidate(name: str, provider: SandboxProvider, settings: Settings) -> Candidate:
    try:
        provider.check()
        spec = _spec(provider, settings)
    except SandboxError as error:
        return Candidate(name=name, provider=provider, spec=None, problem=str(error))
    return Candidate(name=name, provider=provider, spec=spec)


def _spec(provider: SandboxProvider, settings: Settings) -> SandboxSpec:
    """What a repair would open, with limits that are quickly reached."""
    if isinstance(provider, DockerProvider):
        python = settings.sandbox_python or environment.IMAGE_PYTHON
        base = settings.sandbox_image or environment.DEFAULT_IMAGE
        image = environment.docker_image(provider, base, python=python)
        return SandboxSpec(python=python, image=image, limits=MODEST_LIMITS)
    python = environment.host_interpreter(settings.sandbox_python or None, virtual_env=settings.virtual_env)
    return SandboxSpec(python=python, limits=MODEST_LIMITS)


def _interpreters(candidates: list[Candidate]) -> Section:
    """With which Python the tests would run."""
    lines = []
    for candidate in candidates:
        name = f"{candidate.name}: Python"
        if candidate.spec is None:
            lines.append(Line(name=name, status=Status.NOTE, detail=candidate.problem))
            continue
        try:
            with candidate.provider.open(candidate.spec) as sandbox:
                version = ".".join(map(str, sandbox.python_version))
        except SandboxError as error:
            lines.append(Line(name=name, status=Status.PROBLEM, detail=str(error)))
            continue
        where = f" in {candidate.spec.image}" if candidate.spec.image else ""
        lines.append(Line(name=name, status=Status.OK, detail=f"{version}, {candidate.spec.python}{where}"))
    return Section(title="Interpreters", lines=lines)


def _check(candidates: list[Candidate], notify: Callable[[str], None]) -> tuple[list[Section], str]:
    """Attack the first sandbox that can be had, as a repair would choose it."""
    sections = []
    for candidate in candidates:
        if candidate.spec is None:
            continue
        say = partial(_say, candidate.name, notify)
        try:
            results = run_checks(candidate.provider, candidate.spec, notify=say)
        except SandboxError as error:
            line = Line(name=candidate.name, status=Status.PROBLEM, detail=str(error))
            sections.append(Section(title=f"Self-check: {candidate.name}", lines=[line]))
            continue
        sections.append(_section(candidate.name, results))
        failed = any(result.verdict is Verdict.FAILED for result in results)
        return sections, candidate.name if candidate.provider.isolated and not failed else ""
    advice = "install bubblewrap, or start Docker; 'process' is for code that you trust"
    line = Line(
        name="self-check", status=Status.PROBLEM, detail="there is no sandbox to check", advice=advice
    )
    return [*sections, Section(title="Self-check", lines=[line])], ""


def _say(name: str, notify: Callable[[str], None], result: CheckResult) -> None:
    notify(f"attacking {name}: {result.check} {result.verdict}")


def _section(name: str, results: list[CheckResult]) -> Section:
    lines = [_line(result) for result in results]
    held = sum(result.verdict is Verdict.PASSED for result in results)
    return Section(title=f"Self-check: {name}, {held} of {len(CHECKS)} promises held", lines=lines)


def _line(result: CheckResult) -> Line:
    if result.verdict is Verdict.PASSED:
        return Line(name=result.check, status=Status.OK, detail=result.promise)
    if result.verdict is Verdict.GAP:
        return Line(name=result.check, status=Status.GAP, detail=f"{result.promise} Not here: {result.gap}")
    return Line(
        name=result.check,
        status=Status.PROBLEM,
        detail=f"{result.promise} Not so: {result.evidence}",
        advice="do not run strangers' code in this sandbox; please report this, it should have held",
    )
