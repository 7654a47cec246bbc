"""The verdict on what a pull request changes: its change against the base is the patch that is judged.

As ``propose``, it runs untrusted code in the sandbox and writes nothing to GitHub.
"""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime

from bot import compose
from bot.action.propose import check_isolated, for_build, written
from bot.action.subject import Subject
from bot.action.version import PullChange, Versions
from bot.action.workplace import Workplace
from bot.agent.state import PROVE
from bot.config.settings import Settings
from bot.config.sources import settings_digest
from bot.delivery.proposal import ProposalArtifact
from bot.delivery.proposing import Origin
from bot.domain import Patch
from bot.environments.chosen import ChosenEnvironment
from bot.environments.versions.given_change import GivenChange, given_change
from bot.errors import PatchError
from bot.patch.apply import apply
from bot.patch.change import FileChange, file_change, patch_of
from bot.patch.text import decode
from bot.result import RepairResult, refused
from sandbox.snapshot import Snapshot

MAX_FILES, MAX_BYTES = 50, 1_000_000
PART = "the failing tests need only the part of the change that is shown here: nothing proves the rest"


def prove(subject: Subject, workplace: Workplace) -> ProposalArtifact:
    """Judge what the pull request ``subject`` changes.

    Raises:
        NothingToDo: there is no pull request, or it cannot be merged.
        DeliveryError: the verdict is larger than a proposal may be.
        RegreenError: the settings cannot be used, or GitHub fails.
        sandbox.errors.SandboxError: no sandbox is to be had, or it failed.
    """
    settings = for_build(replace(workplace.settings, strategy=PROVE), subject)
    check_isolated(settings)
    versions = Versions(
        subject=subject, github=workplace.github, progress=workplace.progress, now=lambda: datetime.now(UTC)
    )
    change = versions.pull_change()
    files = change.base.snapshot.files
    try:
        patch = patch_of(_small(_changes(change.base.snapshot, change.merged)), files)
        given = given_change(patch, change.base.snapshot)
    except PatchError as error:
        result = refused(str(error))
    else:
        result = _judged(given, settings, workplace, as_of=change.base.as_of)
    return written(result, _origin(subject, workplace, change), files, workplace.secrets)


def _judged(given: GivenChange, settings: Settings, workplace: Workplace, *, as_of: str) -> RepairResult:
    def judge(version: Snapshot, patch: Patch, tests: tuple[str, ...]) -> RepairResult:
        origin = compose.VersionOrigin(given=patch, tests=tests, as_of=as_of)
        return compose.fix(settings, workplace.progress, snapshot=version, origin=origin).result

    def choose(version: Snapshot, resources: ExitStack) -> ChosenEnvironment:
        origin = compose.VersionOrigin(as_of=as_of)
        return compose.choose(settings, version, workplace.progress, resources=resources, origin=origin)

    return _doubted(given.judged(judge, choose), given.patch, given.original.files)


def _changes(base: Snapshot, merged: Snapshot) -> Iterator[FileChange]:
    before, after = ({one.path: one for one in side.entries} for side in (base, merged))
    for path in sorted({*before, *after}):
        old, new = before.get(path), after.get(path)
        if old != new:
            sides = [side for side in (old, new) if side]
            yield file_change(
                path,
                old.data if old else None,
                new.data if new else None,
                modes=frozenset(side.executable for side in sides),
                plain=all(side.link is None for side in sides),
            )


def _small(changes: Iterator[FileChange]) -> Iterator[FileChange]:
    """``changes``, which are compared line by line and shown to people.

    Raises:
        PatchError: they are too large for that.
    """
    size = 0
    for number, change in enumerate(changes, 1):
        size += sum(len(side) for side in (change.before, change.after) if side)
        if number > MAX_FILES or size > MAX_BYTES:
            raise PatchError(
                f"it changes more than {MAX_FILES} files, or files of more than {MAX_BYTES} bytes"
            )
        yield change


def _doubted(result: RepairResult, given: Patch, files: Mapping[str, bytes]) -> RepairResult:
    """``result`` with a doubt where it holds for a part of the pull request's change only."""
    if not result.patch or not result.evidence:
        return result
    sources = {path: decode(files[path]) for path in given.paths if path in files}
    whole, part = apply(given, sources), apply(result.patch, sources)
    if all(text == part.get(path, sources.get(path)) for path, text in whole.items()):
        return result
    evidence = replace(result.evidence, doubts=(*result.evidence.doubts, PART))
    return replace(result, evidence=evidence)


def _origin(subject: Subject, workplace: Workplace, change: PullChange) -> Origin:
    assert subject.pull
    return Origin(
        repository=workplace.github.repository,
        pull=subject.pull.number,
        base_sha=change.base_sha,
        head_sha=subject.head_sha,
        head_ref=subject.head_ref,
        trigger=workplace.trigger,
        settings_digest=settings_digest(workplace.settings),
        judged=True,
    )
