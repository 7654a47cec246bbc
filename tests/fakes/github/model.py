"""What the stand-in remembers: users, repositories, pulls, comments, reviews, runs, tokens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from fakes.github.objects import Objects


@dataclass(slots=True, kw_only=True)
class User:
    login: str
    id: int
    kind: str = "User"


@dataclass(slots=True, kw_only=True)
class Token:
    """``permissions`` None: a person's token, that may do what the person may. Otherwise an app's."""

    value: str
    user: User
    permissions: Mapping[str, str] | None = None
    actions: bool = False


@dataclass(slots=True, kw_only=True)
class Comment:
    id: int
    user: User
    body: str
    created_at: datetime
    updated_at: datetime
    reactions: set[str] = field(default_factory=set)


@dataclass(slots=True, kw_only=True)
class LineComment:
    id: int
    user: User
    body: str
    path: str
    line: int
    review: int = 0
    created_at: datetime
    start_line: int | None = None
    commit: str = ""
    reactions: set[str] = field(default_factory=set)


@dataclass(slots=True, kw_only=True)
class Review:
    id: int
    user: User
    body: str
    commit: str


@dataclass(slots=True, kw_only=True)
class Issue:
    """An issue; ``pull`` is set where it is a pull request."""

    id: int
    number: int
    title: str
    user: User
    created_at: datetime
    updated_at: datetime
    body: str = ""
    state: str = "open"
    locked: bool = False
    labels: list[str] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    pull: Pull | None = None


@dataclass(slots=True, kw_only=True)
class Pull:
    """``head_repository`` None: the fork was deleted; ``head_sha`` is then all that is left.

    ``merge_sha`` is the merge that GitHub shows where a test wants another than the sides make, empty for
    none. For the first ``merge_waits`` that ask, GitHub is still making it.
    """

    head_repository: Repository | None
    head_ref: str
    head_sha: str
    base_ref: str = "main"
    draft: bool = False
    merge_sha: str | None = None
    merge_waits: int = 0
    reviews: list[Review] = field(default_factory=list)
    line_comments: list[LineComment] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Job:
    """``log`` None: expired. ``labels`` and ``runner`` are what GitHub says, of any type in hostile tests."""

    id: int
    name: str
    status: str
    conclusion: str | None
    attempt: int
    log: bytes | None = b""
    labels: object = ("ubuntu-latest",)
    runner: object = "GitHub Actions 1"


@dataclass(slots=True, kw_only=True)
class Run:
    id: int
    number: int
    head_sha: str
    head_repository: Repository
    actor: User
    triggering_actor: User
    workflow: str = "CI"
    event: str = "pull_request"
    status: str = "completed"
    conclusion: str | None = "failure"
    branch: str = "main"
    attempt: int = 1
    pulls: tuple[int, ...] = ()
    upstream_pulls: tuple[tuple[Repository, int], ...] = ()
    jobs: list[Job] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Repository:
    """``roles`` by login; ``protected`` branches accept no push.

    ``pulls_by_actions`` is the switch that lets workflows create pull requests, off in new repositories.
    """

    id: int
    owner: User
    name: str
    objects: Objects
    created_at: datetime
    default_branch: str = "main"
    private: bool = False
    parent: Repository | None = None
    refs: dict[str, str] = field(default_factory=dict)
    issues: dict[int, Issue] = field(default_factory=dict)
    runs: dict[int, Run] = field(default_factory=dict)
    roles: dict[str, str] = field(default_factory=dict)
    protected: set[str] = field(default_factory=set)
    checks: list[dict] = field(default_factory=list)
    pulls_by_actions: bool = True
    drafts: bool = True

    @property
    def full_name(self) -> str:
        return f"{self.owner.login}/{self.name}"

    def branch_head(self, name: str) -> str | None:
        return self.refs.get(f"refs/heads/{name}")

    def network(self, repositories: Mapping[str, Repository]) -> list[Repository]:
        return [one for one in repositories.values() if one.objects is self.objects]
