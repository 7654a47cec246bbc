"""From a subject to a proposal: the only part of the Action that runs a stranger's code, in the sandbox.

The project's files come from the archive of the head's commit. They never touch a disk here; what is written
down are the logs, in a folder that is nobody else's.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace

from pydantic import ValidationError

from bot import compose
from bot.action.logs import JobLog, choose, diff_of
from bot.action.subject import Subject
from bot.action.workplace import Workplace
from bot.config import effective
from bot.delivery.proposal import ProposalArtifact
from bot.delivery.proposing import Origin
from bot.delivery.proposing import propose as write_down
from bot.domain import RepairResult
from bot.errors import ConfigurationError, DeliveryError, GitHubError
from bot.github.archive import ARCHIVE_LIMIT_BYTES, unpack
from bot.scrub import Scrubber
from bot.settings import Settings
from bot.triage import Kind

# What is checked against GitHub to the letter; none of it is prose.
_EXACT = frozenset({"repository", "head_sha", "base_sha", "head_ref", "edits", "originals", "diff"})


def propose(subject: Subject, workplace: Workplace) -> ProposalArtifact:
    """Try to repair ``subject``; what came of it, with or without a patch.

    Raises:
        DeliveryError: what was found is larger than a proposal may be.
        RegreenError: the settings cannot be used, or GitHub or the model fails.
        sandbox.errors.SandboxError: no sandbox is to be had, or it failed.
    """
    settings, github, progress = workplace.settings, workplace.github, workplace.progress
    if settings.sandbox == "process":
        raise ConfigurationError(
            f"{settings.origins['sandbox']}: the Action refuses the sandbox process, which is no boundary: "
            "choose docker, or leave it out"
        )
    progress.stage("files", f"{subject.name} at {subject.head_sha[:12]}")
    unpacked = unpack(github.archive(subject.head_sha, limit=ARCHIVE_LIMIT_BYTES))
    if unpacked.sha not in {"", subject.head_sha}:
        raise GitHubError(f"GitHub sent the files of {unpacked.sha[:12]}, not of {subject.head_sha[:12]}")
    for note in unpacked.notes:
        progress.stage("files", note)
    snapshot = unpacked.snapshot
    log = choose(subject.runs, github, files=snapshot.files, folder=workplace.folder, progress=progress)
    if log:
        settings = replace(settings, log=log.path)
    diff = diff_of(github.changed_files(subject.pull.number)) if subject.pull else ""
    repaired = compose.fix(settings, progress, snapshot=snapshot, diff=diff)
    origin = _origin(subject, workplace, log)
    return _written(repaired.result, origin, repaired.snapshot.files, workplace.secrets)


def _written(
    result: RepairResult, origin: Origin, files: Mapping[str, bytes], secrets: Iterable[str]
) -> ProposalArtifact:
    try:
        return _scrubbed(write_down(result, origin=origin, files=files), secrets)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise DeliveryError(f"what was found fits into no proposal, {where}: {first['msg']}") from error


def _origin(subject: Subject, workplace: Workplace, log: JobLog | None) -> Origin:
    verdict = log.answer.verdict if log else None
    cause = verdict.name if verdict and verdict.kind is not Kind.CODE else ""
    return Origin(
        repository=workplace.github.repository,
        pull=subject.pull.number if subject.pull else 0,
        base_sha=subject.pull.base_sha if subject.pull else subject.head_sha,
        head_sha=subject.head_sha,
        head_ref=subject.head_ref,
        run_id=log.run.id if log else 0,
        trigger=workplace.trigger,
        settings_digest=settings_digest(workplace.settings),
        cause=cause,
        advice=verdict.advice if verdict and cause else "",
    )


def settings_digest(settings: Settings) -> str:
    """Names the options that a proposal was made with."""
    values = "\0".join(f"{one.option.name}={one.value}" for one in effective(settings))
    return hashlib.sha256(values.encode("utf-8", "surrogateescape")).hexdigest()


def _scrubbed(artifact: ProposalArtifact, secrets: Iterable[str]) -> ProposalArtifact:
    """``artifact`` without secrets in what is prose: a test may print what it should not."""
    scrub = Scrubber(secrets)
    document = artifact.model_dump(mode="json")
    prose = {name: scrub.within(value) for name, value in document.items() if name not in _EXACT}
    return ProposalArtifact.model_validate_json(json.dumps({**document, **prose}))
