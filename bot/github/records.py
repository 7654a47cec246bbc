"""What GitHub's answers hold, as plain data. All texts in it are untrusted."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

_LINUX = re.compile(r"ubuntu|linux|debian|fedora|centos|alpine", re.IGNORECASE)
_OTHER_SYSTEM = re.compile(r"windows|\bwin(?:32|64|-|\b)|macos|\bmac\b|osx|darwin|freebsd", re.IGNORECASE)

Permission = Literal["none", "read", "triage", "write", "maintain", "admin"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequest:
    """A pull request; ``head_repository`` is empty where the fork was deleted. Shas are whole, in hex."""

    number: int
    state: Literal["open", "closed"]
    draft: bool
    author: str
    head_sha: str
    head_ref: str
    head_repository: str
    base_sha: str
    base_ref: str
    base_repository: str
    url: str
    labels: tuple[str, ...] = ()
    title: str = ""
    body: str = ""

    @property
    def is_fork(self) -> bool:
        """Whether its head lies in another repository than its base."""
        return self.head_repository.lower() != self.base_repository.lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowRun:
    """A run of a workflow; ``pulls`` are of this repository, and none for a fork's, as GitHub has it."""

    id: int
    name: str
    event: str
    conclusion: str
    head_sha: str
    head_branch: str
    head_repository: str
    actor: str
    triggering_actor: str
    pulls: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A job of a run; ``labels`` are those that its runner had to have, ``runner`` is that one's name."""

    id: int
    name: str
    labels: tuple[str, ...] = ()
    runner: str = ""

    @property
    def is_linux(self) -> bool:
        """Whether it ran on Linux: by its runner's labels, else by the names; where nothing says, it did."""
        for texts in (self.labels, (self.runner,), (self.name,)):
            if any(_LINUX.search(text) for text in texts):
                return True
            if any(_OTHER_SYSTEM.search(text) for text in texts):
                return False
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedFile:
    """A file of a pull request's diff; ``patch`` is empty for a binary or a giant one."""

    path: str
    status: str
    patch: str = ""
    previous_path: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A comment below an issue or a pull request."""

    id: int
    author: str
    body: str
    url: str
    created_at: str = ""
    updated_at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineComment:
    """A review comment on lines ``start`` to ``end`` (1-based, inclusive) of the new side of a diff."""

    path: str
    start: int
    end: int
    body: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GitCommit:
    """A commit; ``author`` is the login that GitHub knows for it, empty where it knows none.

    ``tree`` names its files: two commits with one tree have the same. ``committed_at`` is what the commit
    says, and anybody can write any time there; None where no calendar has it.
    """

    sha: str
    author: str
    message: str
    parents: tuple[str, ...] = ()
    tree: str = ""
    committed_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeAttempt:
    """How GitHub merges an open pull request into its base, which a ``pull_request`` run checks out.

    ``sha`` is the merge commit, empty where GitHub has none; ``conflicts`` says that there can be none.
    """

    sha: str = ""
    conflicts: bool = False


def stored(text: str | None) -> str:
    """What is left of a text that GitHub has stored: it may change line ends and trim."""
    return (text or "").replace("\r\n", "\n").strip()
