"""A GitHub's state, and how a test sets it up: repositories, branches, forks, pulls, runs, tokens.

Git objects are real, ids count up, and the clock ticks a second at each event: the same set-up gives the same
answers, shas included.
"""

import itertools
import threading
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from fakes.github.model import Comment, Issue, Job, LineComment, Pull, Repository, Run, Token, User
from fakes.github.objects import Objects, Person
from fakes.github.trees import Tree, leaf

START = datetime(2026, 1, 1, tzinfo=UTC)
ACTIONS_PERMISSIONS = dict.fromkeys(
    ("actions", "checks", "contents", "issues", "metadata", "pull_requests", "statuses"), "write"
)


class World:
    """All state; ``lock`` is held while a request is served."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._ids = itertools.count(1001)
        self._now = START
        self.users: dict[str, User] = {}
        self.tokens: dict[str, Token] = {}
        self.repositories: dict[str, Repository] = {}
        self.bot = self.user("github-actions[bot]", kind="Bot")

    def id(self) -> int:
        return next(self._ids)

    def at(self, when: datetime) -> None:
        """Set the clock."""
        self._now = when

    def now(self) -> datetime:
        self._now += timedelta(seconds=1)
        return self._now

    def user(self, login: str, *, kind: str = "User") -> User:
        if login not in self.users:
            self.users[login] = User(login=login, id=self.id(), kind=kind)
        return self.users[login]

    def token(self, login: str, *, value: str = "") -> str:
        """A person's token."""
        return self._token(Token(value=value or f"ghp_{self.id():036d}", user=self.user(login)))

    def actions_token(
        self, permissions: Mapping[str, str] = ACTIONS_PERMISSIONS, *, value: str = "", login: str = ""
    ) -> str:
        """A job's ``GITHUB_TOKEN`` with some permissions, or an app's where ``login`` is given."""
        user = self.user(login, kind="Bot") if login else self.bot
        value = value or f"ghs_{self.id():036d}"
        token = Token(value=value, user=user, permissions=dict(permissions), actions=not login)
        return self._token(token)

    def _token(self, token: Token) -> str:
        self.tokens[token.value] = token
        return token.value

    def repository(
        self, full_name: str, files: Tree | None = None, *, private: bool = False, message: str = "Begin"
    ) -> Repository:
        """A repository with one commit on ``main``."""
        owner, _, name = full_name.partition("/")
        repository = self._repository(owner, name=name, objects=Objects(), private=private)
        self.push(repository, "main", files or {"README.md": b"# Here\n"}, message=message)
        return repository

    def fork(self, repository: Repository, login: str) -> Repository:
        """The same history under another owner."""
        return self._repository(
            login,
            name=repository.name,
            objects=repository.objects,
            private=repository.private,
            parent=repository,
            refs=dict(repository.refs),
        )

    def _repository(self, owner: str, **fields: Any) -> Repository:
        made = Repository(
            id=self.id(),
            owner=self.user(owner),
            created_at=self.now(),
            roles={owner: "admin"},
            **fields,
        )
        self.repositories[made.full_name.lower()] = made
        return made

    def push(
        self,
        repository: Repository,
        branch: str,
        files: Tree,
        *,
        message: str = "Change",
        start: str = "",
        author: str = "dev",
        when: datetime | None = None,
    ) -> str:
        """A commit with ``files`` changed, on ``branch``: upon ``start``, its head, or the default's.

        It is made now, or ``when`` its author says.
        """
        parent = start or repository.branch_head(branch) or repository.branch_head(repository.default_branch)
        tree = repository.objects.at(parent) if parent else {}
        for path, content in files.items():
            if content is None:
                tree.pop(path, None)
            else:
                tree[path] = leaf(repository.objects, content)
        who = self.user(author)
        email = f"{who.id}+{who.login}@users.noreply.github.com"
        person = Person(name=who.login, email=email, when=when or self.now())
        sha = repository.objects.commit(
            tree=repository.objects.tree_of(tree),
            parents=[parent] if parent else [],
            message=message,
            author=person,
        )
        self.move(repository, f"refs/heads/{branch}", sha)
        return sha

    def move(self, repository: Repository, ref: str, sha: str | None) -> None:
        """Point a ref somewhere, or delete it; the open pulls whose head it is go with it."""
        if sha is None:
            repository.refs.pop(ref, None)
            return
        repository.refs[ref] = sha
        for other in repository.network(self.repositories):
            for issue in other.issues.values():
                pull = issue.pull
                follows = pull and pull.head_repository is repository and issue.state == "open"
                if follows and ref == f"refs/heads/{pull.head_ref}":
                    pull.head_sha = sha
                    issue.updated_at = self.now()

    def issue(self, repository: Repository, *, user: str = "dev", **fields: Any) -> Issue:
        """An issue with the ``fields`` of the model, of which it needs a title."""
        number, now = max(repository.issues, default=0) + 1, self.now()
        issue = Issue(
            id=self.id(), number=number, user=self.user(user), created_at=now, updated_at=now, **fields
        )
        repository.issues[number] = issue
        return issue

    def comment(self, issue: Issue, body: str, *, user: User) -> Comment:
        """A comment below an issue or a pull request."""
        now = self.now()
        comment = Comment(id=self.id(), user=user, body=body, created_at=now, updated_at=now)
        issue.comments.append(comment)
        return comment

    def line_comment(self, issue: Issue, body: str, *, user: User, **fields: Any) -> LineComment:
        """A comment on a line of a pull request, with the ``fields`` of the model."""
        comment = LineComment(id=self.id(), user=user, body=body, created_at=self.now(), **fields)
        issue.pull.line_comments.append(comment)
        return comment

    def pull(
        self,
        repository: Repository,
        head: str,
        *,
        base: str = "main",
        title: str = "A change",
        body: str = "",
        user: str = "dev",
        fork: Repository | None = None,
        draft: bool = False,
    ) -> Issue:
        """A pull request from the branch ``head`` of this repository or of ``fork``."""
        source = fork or repository
        sha = source.branch_head(head)
        assert sha, f"no branch {head} in {source.full_name}"
        pull = Pull(head_repository=source, head_ref=head, head_sha=sha, base_ref=base, draft=draft)
        return self.issue(repository, title=title, body=body, user=user, pull=pull)

    def run(
        self,
        repository: Repository,
        head_sha: str,
        *,
        actor: str = "dev",
        triggering_actor: str = "",
        head_repository: Repository | None = None,
        **fields: Any,
    ) -> Run:
        """A workflow run without jobs, with the ``fields`` of the model."""
        run = Run(
            id=self.id(),
            number=len(repository.runs) + 1,
            head_sha=head_sha,
            head_repository=head_repository or repository,
            actor=self.user(actor),
            triggering_actor=self.user(triggering_actor or actor),
            **fields,
        )
        if run.status != "completed":
            run.conclusion = None
        repository.runs[run.id] = run
        return run

    def job(self, run: Run, name: str = "test", *, conclusion: str | None = "failure", **fields: Any) -> Job:
        """A job of a run, with the ``fields`` of the model."""
        status = "completed" if conclusion else "in_progress"
        fields = {"attempt": run.attempt, **fields}
        job = Job(id=self.id(), name=name, status=status, conclusion=conclusion, **fields)
        run.jobs.append(job)
        return job
