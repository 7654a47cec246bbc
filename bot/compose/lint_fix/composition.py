"""The composition root of ``regreen lint-fix``: the linters' own fixes, made and checked in the sandbox."""

from contextlib import ExitStack
from dataclasses import replace

from bot.compose import Repaired, say
from bot.compose.lint_fix.lint_commands import LintCommand, checks_of_log
from bot.compose.lint_fix.run import Bench, fix
from bot.config.settings import Settings
from bot.environments.testbeds import testbeds
from bot.environments.versions.repository_root import from_repository_root
from bot.environments.ways import test_command
from bot.errors import ConfigurationError
from bot.internal_errors import collected
from bot.patch.policy.gate import Policy
from bot.ports import Progress
from bot.triage.log import ask
from sandbox.resolve import resolve
from sandbox.snapshot import Snapshot, take


def lint_fix(
    settings: Settings,
    checks: tuple[LintCommand, ...],
    progress: Progress,
    *,
    snapshot: Snapshot | None = None,
    policy: Policy | None = None,
) -> Repaired:
    """Fix what ``checks`` complain about, by the tools themselves; without any, what failed in the log.

    ``snapshot`` is the project's files where they are read already; ``policy`` what the patch may do where
    nobody sees it first.

    Raises:
        RegreenError: the settings cannot be used, or no check is known that could fix.
        sandbox.errors.SandboxError: no sandbox is to be had, or it failed.
    """
    with collected() as defects:
        repaired = _fixed(settings, checks, progress, snapshot or take(settings.project), policy)
    say(defects, progress)
    return replace(repaired, result=replace(repaired.result, internal_errors=defects.found))


def _fixed(
    settings: Settings,
    checks: tuple[LintCommand, ...],
    progress: Progress,
    snapshot: Snapshot,
    policy: Policy | None,
) -> Repaired:
    files = snapshot.files
    chosen = checks or (checks_of_log(ask(settings.log, files).reading, files) if settings.log else ())
    if not chosen:
        raise ConfigurationError(
            "no check that can fix: pass --check with a call of 'ruff check', 'ruff format', 'black' or "
            "'isort', or --log with the log of a job in which one failed"
        )
    with ExitStack() as resources:
        command = resolve(test_command(settings.test_command), snapshot).command
        needed = tuple(dict.fromkeys(one.requirement for one in chosen if one.requirement))
        beds = testbeds(settings, snapshot, command, progress, resources, needed=needed)
        timeout_s = settings.suite_timeout
        bench = Bench(testbeds=beds, files=files, progress=progress, timeout_s=timeout_s, policy=policy)
        result = fix(chosen, bench)
    return Repaired(result=from_repository_root(result, settings.project, snapshot), snapshot=snapshot)
