"""A repository on the stand-in for GitHub with a failing pull request, and the Action as a runner runs it."""

import io
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import yaml
from fakes.github import GitHubServer
from fakes.github.model import Comment, Issue, Repository, Run
from sections import sections

from bot.action import entry
from bot.config.options import BY_NAME

ROOT = Path(__file__).parents[2]
REPOSITORY = "octo/app"
# Commits of many months ago would have their dependencies resolved as of then. It is the same time in all
# processes of a run of the tests, so that equal histories have equal shas.
RECENT = datetime.now(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
WRITERS = {"dev": "write", "boss": "admin", "reader": "read"}
FILES = sections("action.txt")[0].parts
RIGHT, TESTS = (FILES[path].encode() for path in ("shop/prices.py", "tests/test_prices.py"))
FAILING_LOG, SHUTDOWN = FILES["failing.log"], FILES["shutdown.log"]
WRONG = RIGHT.replace(b"net + tax", b"net - tax")
SHOP = {
    "shop/__init__.py": b"",
    "shop/prices.py": RIGHT,
    "tests/test_prices.py": TESTS,
    "README.md": b"# Shop\n",
}
FLAKY = (
    FAILING_LOG.replace(
        "E       assert 81 == 119\n", "E       hypothesis.errors.DeadlineExceeded: Test took 420.15ms\n"
    )
    .replace("tests/test_prices.py:5: AssertionError", "tests/test_prices.py:5: DeadlineExceeded")
    .replace(
        "with_tax - assert 81 == 119", "with_tax - hypothesis.errors.DeadlineExceeded: Test took 420.15ms"
    )
)


def granted(mode: str) -> dict[str, str]:
    """What the token may do that the reusable workflow gives to a job of ``mode``; ``repair`` publishes."""
    jobs = yaml.safe_load((ROOT / ".github/workflows/repair.yml").read_text("utf-8"))["jobs"]
    permissions = jobs["propose" if mode == "propose" else "publish"]["permissions"]
    # GitHub adds this one by itself.
    return {"metadata": "read"} | {name.replace("-", "_"): level for name, level in permissions.items()}


def job_log(text: str) -> bytes:
    """``text`` as GitHub serves a job's log."""
    return "".join(f"2026-01-01T00:00:00.0000000Z {line}\n" for line in text.splitlines()).encode()


@dataclass
class Shop:
    """The repository, its pull request, and the run that fails."""

    github: GitHubServer
    repository: Repository
    pull: Issue
    run: Run
    own_run: Run

    @property
    def head(self) -> str:
        return self.pull.pull.head_sha

    @property
    def comments(self) -> list[str]:
        return [comment.body for comment in self.pull.comments]

    @property
    def suggestions(self) -> list[str]:
        return [comment.body for comment in self.pull.pull.line_comments]

    @property
    def fixes(self) -> list[Issue]:
        return [one for one in self.repository.issues.values() if one.pull and one is not self.pull]

    @property
    def own_branches(self) -> list[str]:
        return [ref for ref in self.repository.refs if ref.startswith("refs/heads/regreen/")]

    def content(self, branch: str, path: str) -> bytes:
        """A file as it is on a branch now."""
        objects = self.repository.objects
        return objects.blobs[objects.at(self.repository.branch_head(branch))[path].sha]

    @property
    def writes(self) -> list[str]:
        """What was asked of GitHub other than to tell something."""
        asked = [f"{one.method} {one.path}" for one in self.github.requests if one.method != "GET"]
        return [one for one in asked if one != "POST /graphql"]

    def event(self, kind: str, *, sender: str = "dev", comment: Comment | None = None) -> dict:
        """The payload of an event about the pull request."""
        return event(kind, sender=sender, run=self.run, pull=self.pull, comment=comment)

    def say(self, body: str, *, user: str = "dev") -> Comment:
        """A comment below the pull request."""
        world = self.github.world
        return world.comment(self.pull, body, user=world.user(user))

    def ask(self, body: str = "/regreen fix", *, user: str = "dev") -> dict:
        """The payload of a comment below the pull request."""
        return self.event("issue_comment", sender=user, comment=self.say(body, user=user))

    def ask_at_line(self, body: str = "/regreen fix", *, user: str = "dev") -> dict:
        """The payload of a comment on a line of the pull request."""
        who = self.github.world.user(user)
        comment = self.github.world.line_comment(
            self.pull, body, user=who, path="shop/prices.py", line=2, commit=self.head
        )
        said = {"id": comment.id, "body": body, "user": {"login": user, "type": "User"}}
        about = {"action": "created", "number": self.pull.number}
        return {**self.event("pull_request", sender=user), **about, "comment": said}

    def label(self, name: str = "regreen", *, user: str = "dev") -> dict:
        """The payload of a label that somebody sets."""
        about = {"action": "labeled", "label": {"name": name}, "number": self.pull.number}
        return {**self.event("pull_request", sender=user), **about}


def event(
    kind: str,
    *,
    sender: str,
    run: Run | None = None,
    pull: Issue | None = None,
    comment: Comment | None = None,
) -> dict:
    """The payload of an event: what anybody looks at of what GitHub sends."""
    who = {"login": sender, "type": "User"}
    match kind:
        case "workflow_run":
            about = {"id": run.id, "head_sha": run.head_sha, "pull_requests": []}
            return {"action": "completed", "sender": who, "workflow_run": about}
        case "pull_request":
            about = {"number": pull.number, "head": {"sha": pull.pull.head_sha}}
            return {"action": "synchronize", "sender": who, "pull_request": about}
        case "issue_comment":
            return {
                "action": "created",
                "sender": who,
                "issue": {"number": pull.number, "pull_request": {}},
                "comment": {"id": comment.id, "body": comment.body, "user": who},
            }
        case _:
            return {"sender": who}


def shop(
    github: GitHubServer,
    *,
    change: Mapping[str, bytes] | None = None,
    begin: Mapping[str, object] | None = None,
    log: str = FAILING_LOG,
    fork: str = "",
    branch: str = "feature",
) -> Shop:
    """A repository whose pull request breaks ``with_tax`` (or makes ``change``), with CI red for it."""
    world = github.world
    world.at(RECENT)
    repository = world.repository(REPOSITORY, {**SHOP, **(begin or {})})
    repository.roles |= WRITERS
    source = world.fork(repository, fork) if fork else repository
    world.push(source, branch, {"shop/prices.py": WRONG} if change is None else change)
    pull = world.pull(repository, branch, fork=source if fork else None, user=fork or "dev")
    run = world.run(
        repository,
        pull.pull.head_sha,
        branch=branch,
        head_repository=source,
        pulls=() if fork else (pull.number,),
        actor=fork or "dev",
    )
    world.job(run, "lint", conclusion="success", log=job_log("All checks passed!\n"))
    world.job(run, "test", log=job_log(log))
    own = world.run(repository, repository.branch_head("main"), workflow="Regreen", status="in_progress")
    return Shop(github=github, repository=repository, pull=pull, run=run, own_run=own)


@dataclass
class Ran:
    """What a run of the Action left: its status, its log, its outputs and its summary."""

    status: int
    log: str
    outputs: dict[str, str] = field(default_factory=dict)
    summary: str = ""

    @property
    def said(self) -> str:
        """Everything that anybody can read."""
        return "\n".join([self.log, *self.outputs.values(), self.summary])


def read_outputs(text: str) -> dict[str, str]:
    """What a runner reads in the file of outputs."""
    found: dict[str, str] = {}
    lines = iter(text.split("\n"))
    for line in lines:
        if "<<" in line:
            name, _, delimiter = line.partition("<<")
            value = []
            for one in lines:
                if one == delimiter:
                    break
                value.append(one)
            found[name] = "\n".join(value)
    return found


def environment(
    place: Shop, directory: Path, kind: str, payload: Mapping, token: str, inputs: Mapping
) -> dict[str, str]:
    """What the runner sets."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "event.json").write_text(json.dumps(payload))
    for name in ("output", "summary"):
        (directory / name).touch()
    return {
        "HOME": str(directory / "home"),
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "CI": "true",
        "GITHUB_ACTIONS": "true",
        "GITHUB_ACTOR": "dev",
        "GITHUB_TRIGGERING_ACTOR": "dev",
        "GITHUB_REPOSITORY": REPOSITORY,
        "GITHUB_EVENT_NAME": kind,
        "GITHUB_EVENT_PATH": str(directory / "event.json"),
        "GITHUB_RUN_ID": str(place.own_run.id),
        "GITHUB_API_URL": place.github.url,
        "GITHUB_SERVER_URL": "https://github.example",
        "GITHUB_WORKSPACE": str(directory / "workspace"),
        "GITHUB_OUTPUT": str(directory / "output"),
        "GITHUB_STEP_SUMMARY": str(directory / "summary"),
        "ACTIONS_RUNTIME_TOKEN": "runtime-token-of-the-job",
        "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "identity-token-of-the-job",
        "INPUT_GITHUB-TOKEN": token,
        **{_variable(name): str(value) for name, value in inputs.items()},
    }


def _variable(name: str) -> str:
    """Where an option stands in the environment: what is no input is set by its own variable."""
    option = BY_NAME.get(name)
    return option.variable if option and not option.is_input else f"INPUT_{name.upper()}"


def act(
    place: Shop,
    directory: Path,
    kind: str = "workflow_run",
    *,
    payload: Mapping | None = None,
    token: str = "",
    actor: str = "dev",
    variables: Mapping[str, str] | None = None,
    **inputs: object,
) -> Ran:
    """Run the Action in this process; ``directory`` is what the runner mounts."""
    (directory / "workspace").mkdir(parents=True, exist_ok=True)
    inputs = {name.replace("_", "-"): value for name, value in inputs.items()}
    token = token or place.github.world.actions_token(granted(str(inputs.get("mode", ""))))
    sandbox = {"sandbox": "bubblewrap", "sandbox-python": sys.executable}
    given = environment(place, directory, kind, payload or place.event(kind), token, {**sandbox, **inputs})
    given |= {"GITHUB_ACTOR": actor, "GITHUB_TRIGGERING_ACTOR": actor, **(variables or {})}
    out = io.StringIO()
    status = entry.run(given, out)
    outputs = read_outputs((directory / "output").read_text())
    return Ran(
        status=status, log=out.getvalue(), outputs=outputs, summary=(directory / "summary").read_text()
    )
