"""The files that a job's tests ran on: the head's, or those of its merge with the base, as CI has it.

A run of the event ``pull_request`` checks out the merge. A patch is for the head: where the two differ it
changes nothing, so that it holds for the head to the byte.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from bot.action.logs import JobLog, checked_out
from bot.action.subject import NothingToDo, Subject
from bot.delivery.memory import known
from bot.environments.versions.checkout import time_limit
from bot.environments.versions.compared import EarlierFiles
from bot.errors import GitHubError
from bot.github.archive import ARCHIVE_LIMIT_BYTES, unpack
from bot.github.client import GitHub
from bot.github.records import GitCommit, PullRequest
from bot.patch.text import one_line
from bot.ports import Progress
from sandbox.snapshot import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """Files with the time (RFC 3339) of an old commit, empty for a recent one.

    ``frozen`` are the paths where the head has something else. ``note`` is a clause for people on what the
    tests ran on, empty where that is the head and CI tested just that.
    """

    snapshot: Snapshot
    as_of: str = ""
    frozen: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PullChange:
    """What a pull request does to its base: the base's commit and files, and those of its merge with it."""

    base_sha: str
    base: Version
    merged: Snapshot


@dataclass(frozen=True, kw_only=True)
class Versions:
    """The head's files and those of its merge, each fetched when it is first needed.

    A person ``asked`` for the repair of these, or nobody did.
    """

    subject: Subject
    github: GitHub
    progress: Progress
    now: Callable[[], datetime]
    asked: bool = True

    def tested_by(self, log: JobLog | None) -> Version:
        """What the job of ``log`` tested.

        Raises:
            GitHubError: the head's files cannot be had.
        """
        pull = self.subject.pull
        is_merge = log and log.run.event == "pull_request" and log.run.head_sha == self.subject.head_sha
        if not log or not pull or not is_merge or checked_out(log.path, pull.number) is False:
            return self.head
        return self._merge

    @cached_property
    def accepted(self) -> tuple[str, ...]:
        """The operators whose patches people took in this repository; none where GitHub does not say."""
        try:
            return known(self.github).accepted
        except GitHubError:
            return ()

    @cached_property
    def head(self) -> Version:
        """The files of the subject's head.

        Raises:
            GitHubError: they cannot be had.
        """
        snapshot = self._files(self.subject.head_sha)
        return Version(snapshot=snapshot, as_of=self._as_of(self._head_commit))

    def pull_change(self) -> PullChange:
        """What the pull request changes, by its merge with the base: that is what would become of the base.

        Raises:
            NothingToDo: there is no pull request, or no merge of it.
            GitHubError: GitHub cannot be asked, or the files cannot be had.
        """
        pull = self.subject.pull
        if pull is None:
            raise NothingToDo("only a pull request's change is judged: pass pull-request")
        try:
            commit = self._merge_commit(pull)
        except _Unusable as unusable:
            raise NothingToDo(f"pull request {pull.number} cannot be judged: {unusable}") from unusable
        sha = commit.parents[0]
        self.progress.stage("files", f"the base {pull.base_ref} at {sha[:12]}")
        base = Version(snapshot=self._files(sha), as_of=self._as_of(self.github.read_commit(sha)))
        return PullChange(base_sha=sha, base=base, merged=self._files(commit.sha))

    @cached_property
    def earlier(self) -> EarlierFiles | None:
        """Of a branch, the files of the commit before its head; None where they cannot be had."""
        if self.subject.pull or not self._head_commit or not self._head_commit.parents:
            return None
        sha = self._head_commit.parents[0]
        try:
            snapshot = self._files(sha)
        except GitHubError as error:
            self.progress.stage("files", f"the commit before cannot be compared with: {error}")
            return None
        return EarlierFiles(name=f"{sha[:12]}, the commit before", snapshot=snapshot)

    @cached_property
    def _merge(self) -> Version:
        """The files of the merge; the head's with a note where there is none that can be used."""
        pull = self.subject.pull
        assert pull
        try:
            commit = self._merge_commit(pull)
            if self._head_commit and commit.tree == self._head_commit.tree:
                return self.head  # the base has nothing that the head lacks
            self.progress.stage("files", f"the merge with {pull.base_ref} at {commit.sha[:12]}")
            snapshot = self._files(commit.sha)
        except _Unusable as unusable:
            why = str(unusable)
        except GitHubError as error:
            why = f"GitHub refuses it ({error})"
        else:
            here, there = ({one.path: one for one in side.entries} for side in (self.head.snapshot, snapshot))
            frozen = tuple(path for path in sorted({*here, *there}) if here.get(path) != there.get(path))
            note = _on_merge(pull.base_ref, commit.parents[0], len(frozen))
            return Version(snapshot=snapshot, as_of=self._as_of(commit), frozen=frozen, note=note)
        note = f"CI tested the merge with the base, and here the tests ran on the head alone: {why}"
        self.progress.stage("files", note)
        return Version(snapshot=self.head.snapshot, as_of=self.head.as_of, note=note)

    def _merge_commit(self, pull: PullRequest) -> GitCommit:
        """The merge of the head with the base.

        Raises:
            _Unusable: there is none, or it is of other commits.
            GitHubError: GitHub cannot be asked.
        """
        attempt = self.github.merge_attempt(pull.number)
        if attempt.conflicts:
            raise _Unusable("the two conflict now")
        if not attempt.sha:
            raise _Unusable("GitHub has no merge of it yet")
        commit = self.github.read_commit(attempt.sha)
        if commit.sha != attempt.sha or len(commit.parents) != 2 or commit.parents[1] != pull.head_sha:
            raise _Unusable("GitHub's merge is of another commit")
        base = commit.parents[0]
        if base != pull.base_sha and base != self.github.branch_head(pull.base_ref):
            raise _Unusable("GitHub's merge is with another base")
        return commit

    @cached_property
    def _head_commit(self) -> GitCommit | None:
        """The head's commit; None where GitHub refuses it: its time is a help, and no more."""
        try:
            return self.github.read_commit(self.subject.head_sha)
        except GitHubError as error:
            self.progress.stage("files", f"the time of the commit is not known: {error}")
            return None

    def _as_of(self, commit: GitCommit | None) -> str:
        return time_limit(commit.committed_at if commit else None, now=self.now())

    def _files(self, sha: str) -> Snapshot:
        unpacked = unpack(self.github.archive(sha, limit=ARCHIVE_LIMIT_BYTES))
        if unpacked.sha not in {"", sha}:
            raise GitHubError(f"GitHub sent the files of {unpacked.sha[:12]}, not of {sha[:12]}")
        for note in unpacked.notes:
            self.progress.stage("files", note)
        return unpacked.snapshot


class _Unusable(Exception):
    """There is no merge that could be tested; the message says why."""


def _on_merge(base_ref: str, base: str, frozen: int) -> str:
    name = one_line(base_ref, limit=80).replace("`", "'")
    files = f"{frozen} files differ from the head and were"
    if frozen == 1:
        files = "1 file differs from the head and was"
    return (
        f"the tests ran on the merge with the base `{name}` at `{base[:12]}`, as CI does; {files} left alone"
    )
