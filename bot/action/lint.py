"""What a formatter or linter that failed can fix by itself, where no failing test is the code's doing.

The tool runs in the sandbox, with the version that the workflow or a hook names, and its change is proved as
any other: see ``bot.compose.lint_fix``.
"""

from collections.abc import Sequence
from dataclasses import replace

from bot.action.attempts import JobAttempt
from bot.action.logs import JobLog
from bot.action.version import Versions
from bot.compose.lint_fix.composition import lint_fix
from bot.compose.lint_fix.lint_commands import LintCommand, checks_of_log
from bot.config.settings import Settings
from bot.errors import RegreenError
from bot.internal_errors import guarded
from bot.patch.policy.gate import Policy
from bot.ports import Progress
from bot.result import Outcome
from sandbox.errors import SandboxError


def by_linters(
    attempt: JobAttempt, logs: Sequence[JobLog], versions: Versions, settings: Settings, progress: Progress
) -> JobAttempt:
    """What came of the first job in which a known check failed; where it is no patch, ``attempt`` says why.

    Without such a job, or a sandbox, it is ``attempt`` as it was.
    """
    head = versions.head
    for log in logs:
        checks: tuple[LintCommand, ...] = ()
        with guarded("the checks of a log"):
            checks = checks_of_log(log.answer.reading, head.snapshot.files)
        if checks:
            progress.stage("lint-fix", f"{log.name}: {', '.join(one.text for one in checks)}")
            try:
                result = lint_fix(
                    settings, checks, progress, snapshot=head.snapshot, policy=Policy(formats_tests=True)
                ).result
            except (RegreenError, SandboxError) as error:
                progress.stage("lint-fix", str(error))
                return attempt
            if result.outcome is Outcome.PATCHED:
                return JobAttempt(log=log, version=head, result=result)
            return replace(attempt, notes=(*attempt.notes, f"lint-fix: {result.reason}"))
    return attempt
