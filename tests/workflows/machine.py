"""A machine that runs workflows for a repository on the stand-in for GitHub."""

import hashlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from fakes.action import REPOSITORY, Shop, shop
from fakes.github import GitHubServer
from fakes.github.server import Request
from workflows import copies, engine
from workflows.engine import Ended, Start
from workflows.store import TOKEN, Store

PRIVATE_KEY = "private-key-of-the-app"
# The author's right, as GitHub says it in the event.
ASSOCIATIONS = {"dev": "MEMBER", "boss": "OWNER"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Images:
    """The Action's, and that of the sandboxes."""

    action: str
    sandbox: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """``regreen`` is the commit of Regreen that workflows use."""

    directory: Path
    github: GitHubServer
    store: Store
    images: Images
    regreen: str

    @property
    def calls(self) -> Path:
        """What steps asked of programs that no test may run."""
        return self.directory / "calls"

    @classmethod
    def make(cls, directory: Path, github: GitHubServer, store: Store, images: Images) -> "Machine":
        """Regreen's own repository is on the same GitHub, with a release that names its image."""
        files = {"action.yml": copies.action(images.action).encode()}
        regreen = github.world.repository(copies.REGREEN, files).branch_head("main")
        assert regreen
        return cls(directory=directory, github=github, store=store, images=images, regreen=regreen)

    def shop(self, *, begin: Mapping[str, object] | None = None, **rest: object) -> Shop:
        """A repository with a failing pull request, whose options name the image of its sandboxes."""
        options = f"sandbox-image: {self.images.sandbox}\nsearch-without: alternatives\n"
        return shop(self.github, begin={".github/regreen.yml": options.encode(), **(begin or {})}, **rest)

    def run(
        self,
        place: Shop,
        workflow: str,
        kind: str,
        payload: Mapping[str, object],
        *,
        actor: str = "dev",
        sha: str = "",
        granted: Mapping[str, Mapping[str, str]] | None = None,
        repair: str = "",
        server: str = "https://github.example",
        job: str = "",
        variables: Mapping[str, str] | None = None,
    ) -> Ended:
        """Run ``workflow``, or its ``job`` and what that needs, for an event; ``variables`` are its steps'.

        ``granted`` is what each job's token may do; those that take theirs from no variable have the first.
        """
        tokens = {
            job: self.github.world.actions_token(rights, value=token_of(job))
            for job, rights in (granted or GRANTED).items()
        }
        environment = {
            "GITHUB_REPOSITORY": REPOSITORY,
            "GITHUB_RUN_ID": str(place.own_run.id),
            "GITHUB_API_URL": self.github.url,
            "GITHUB_SERVER_URL": server,
            "GITHUB_TRIGGERING_ACTOR": actor,
            "ACTIONS_RUNTIME_URL": self.store.url,
            "ACTIONS_RUNTIME_TOKEN": TOKEN,
            "CALLS": str(self.calls),
            "SET_UP_PYTHON": str(Path(sys.executable).parent),
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_NO_INDEX": "1",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            **(variables or {}),
        }
        start = Start(
            kind=kind,
            payload={"repository": {"default_branch": "main"}, **payload},
            sha=sha or place.repository.branch_head("main") or "",
            actor=actor,
            environment=environment,
            secrets={"GITHUB_TOKEN": next(iter(tokens.values())), "REGREEN_APP_PRIVATE_KEY": PRIVATE_KEY},
            variables={
                "REGREEN_APP_CLIENT_ID": "client-id-of-the-app",
                **{copies.variable(job): token for job, token in tokens.items()},
            },
        )
        directory = self.directory / f"run-{len(list(self.directory.glob('run-*')))}"
        word = hashlib.sha256(str(directory).encode()).hexdigest()[:8]
        regreen = {
            copies.REPAIR: copies.named(repair or copies.repair(self.regreen), word),
            "action.yml": copies.action(self.images.action),
        }
        workflow = copies.named(workflow, word)
        return engine.run(
            directory, start, workflow=workflow, regreen=regreen, label=str(self.directory), job=job
        )

    def asked(self, job: str) -> list[Request]:
        """What a job, in all runs so far, asked of GitHub to have something changed."""
        changing = (one for one in self.github.requests if one.method != "GET" and one.path != "/graphql")
        return [one for one in changing if token_of(job) in one.headers.get("authorization", "")]

    def completed(self, place: Shop, *, example: str = "suggest-on-red.yml", repair: str = "") -> Ended:
        """The run of the tests has ended."""
        payload = place.event("workflow_run")
        payload["workflow_run"] |= {"conclusion": place.run.conclusion}
        return self.run(place, copies.example(example), "workflow_run", payload, repair=repair)

    def say(self, place: Shop, body: str, *, user: str = "dev") -> Ended:
        """Somebody comments below the pull request."""
        payload = place.event("issue_comment", comment=place.say(body, user=user), sender=user)
        payload["comment"]["author_association"] = ASSOCIATIONS.get(user, "NONE")
        payload["issue"]["pull_request"]["url"] = f"{self.github.url}/repos/{REPOSITORY}/pulls/1"
        return self.run(place, copies.example("comment-commands.yml"), "issue_comment", payload, actor=user)


def token_of(job: str) -> str:
    """The value of a job's token."""
    return f"ghs_{job:_<36}"


def rights(permissions: Mapping[str, str]) -> dict[str, str]:
    """What a token may do that has ``permissions`` of a workflow; one right is every token's."""
    return {"metadata": "read"} | {name.replace("-", "_"): level for name, level in permissions.items()}


GRANTED = {name: rights(job["permissions"]) for name, job in copies.JOBS.items()}
