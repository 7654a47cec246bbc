"""From a subject to a proposal: the only part of the Action that runs untrusted code, in the sandbox.

The project's files come from the archive of a commit: the head's, or its merge with the base. They never
touch a disk here; what is written down are the logs, in a directory that is nobody else's.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime

from pydantic import ValidationError

from bot.action.attempts import JobAttempt, first_patch
from bot.action.lint import by_linters
from bot.action.logs import diff_of, read_logs
from bot.action.ranking import answers, ranked
from bot.action.subject import NothingToDo, Subject
from bot.action.version import Versions
from bot.action.workplace import Workplace
from bot.agent.state import AGENT
from bot.config.settings import Settings
from bot.config.sources import settings_digest
from bot.delivery.proposal import ProposalArtifact
from bot.delivery.proposing import Origin, proposal_of
from bot.delivery.sticky import find
from bot.errors import ConfigurationError, DeliveryError
from bot.result import Outcome, RepairResult
from bot.scrub import Scrubber
from bot.triage import CauseKind

# What is checked against GitHub to the letter; none of it is prose.
_EXACT = frozenset(
    {"repository", "head_sha", "base_sha", "head_ref", "edits", "originals", "diff", "new_expectations"}
)


def propose(
    subject: Subject, workplace: Workplace, *, asked: bool, tests: tuple[str, ...] = ()
) -> ProposalArtifact:
    """Try to repair ``subject``; what came of it, with or without a patch.

    Where nobody ``asked`` for this very repair, a proposal that stands is not looked for again. ``tests`` are
    those to repair, where a person names them.

    Raises:
        NothingToDo: a proposal for the same head, settings and failing tests stands already.
        DeliveryError: what was found is larger than a proposal may be.
        RegreenError: the settings cannot be used, or GitHub or the model fails.
        sandbox.errors.SandboxError: no sandbox is to be had, or it failed.
    """
    settings, github, progress = workplace.settings, workplace.github, workplace.progress
    check_isolated(settings)
    if settings.strategy == AGENT:
        raise ConfigurationError(
            f"{settings.origins['strategy']}: the Action runs no coding agent, since their keys would stand "
            "beside untrusted code: use 'regreen fix' or 'regreen prove' in a job of yours"
        )
    progress.stage("files", f"{subject.name} at {subject.head_sha[:12]}")
    versions = Versions(
        subject=subject,
        github=github,
        progress=progress,
        now=lambda: datetime.now(UTC),
        # A branch has no author who answers for an older failure.
        asked=asked or subject.pull is None,
    )
    files = versions.head.snapshot.files
    logs = read_logs(subject.runs, github, files=files, directory=workplace.directory, progress=progress)
    if subject.pull and not asked:
        sticky = find(github, subject.pull.number)
        digest = settings_digest(settings)
        if answers(sticky, head=subject.head_sha, settings_digest=digest, logs=logs):
            raise NothingToDo(f"a proposal for {subject.name} and these failing tests stands already")
    diff = diff_of(github.changed_files(subject.pull.number)) if subject.pull else ""
    settings = replace(for_build(settings, subject), fix_tests=_tests_are_fixed(settings, subject))
    attempt = first_patch(ranked(logs), versions, settings, progress, diff=diff, tests=tests)
    # What is known of failing tests says more than what a linter does.
    nothing = attempt.result.outcome is Outcome.NOT_CODE and not attempt.result.adapted
    if nothing and settings.action.fixes_lint:
        attempt = by_linters(attempt, logs, versions, settings, progress)
    return written(attempt.shown, _origin(subject, workplace, attempt), files, workplace.secrets)


def check_isolated(settings: Settings) -> None:
    """Refuse a sandbox that untrusted code could leave.

    Raises:
        ConfigurationError: it is one.
    """
    if not settings.isolated:
        raise ConfigurationError(
            f"{settings.origins['sandbox']}: the Action refuses the sandbox {settings.sandbox}, "
            "which is no boundary: choose docker, or leave it out"
        )


def _tests_are_fixed(settings: Settings, subject: Subject) -> str:
    """Whether new values of outdated assertions are looked for; nobody reads them but at a pull request."""
    return "print" if settings.action.allows_test_changes and subject.pull else "no"


def for_build(settings: Settings, subject: Subject) -> Settings:
    """``settings`` with the secrets that the build of ``subject`` may have: a fork's gets none."""
    if not subject.from_fork:
        return settings
    return replace(settings, secrets=replace(settings.secrets, build_secrets=""))


def written(
    result: RepairResult, origin: Origin, files: Mapping[str, bytes], secrets: Iterable[str]
) -> ProposalArtifact:
    """``result`` as a proposal without ``secrets``.

    Raises:
        DeliveryError: it is larger than a proposal may be.
    """
    try:
        return _scrubbed(proposal_of(result, origin=origin, files=files), secrets)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise DeliveryError(f"what was found fits into no proposal, {where}: {first['msg']}") from error


def _origin(subject: Subject, workplace: Workplace, attempt: JobAttempt) -> Origin:
    log = attempt.log
    verdict = log.answer.verdict if log else None
    cause = verdict.name if verdict and verdict.kind is not CauseKind.CODE else ""
    if not cause and attempt.result.cause:
        cause = f"{attempt.result.outcome.value}/{attempt.result.cause}"
    return Origin(
        repository=workplace.github.repository,
        pull=subject.pull.number if subject.pull else 0,
        base_sha=subject.pull.base_sha if subject.pull else subject.head_sha,
        head_sha=subject.head_sha,
        head_ref=subject.head_ref,
        run_id=log.run.id if log else 0,
        job=log.name if log else "",
        trigger=workplace.trigger,
        settings_digest=settings_digest(workplace.settings),
        cause=cause,
        advice=verdict.advice if verdict and verdict.kind is not CauseKind.CODE else "",
        notes=attempt.notes if attempt.result.outcome is Outcome.PATCHED else (),
    )


def _scrubbed(artifact: ProposalArtifact, secrets: Iterable[str]) -> ProposalArtifact:
    """``artifact`` without secrets in what is prose: a test may print what it should not."""
    scrub = Scrubber(secrets)
    document = artifact.model_dump(mode="json")
    prose = {name: scrub.within(value) for name, value in document.items() if name not in _EXACT}
    return ProposalArtifact.model_validate_json(json.dumps({**document, **prose}))
