"""What fails in a week: each kind sets its scene on GitHub, and says how it has to end.

DELIVERED: a proposal stands where people look for it. TOLD: there is no patch, with the reason, and nothing
is written to GitHub. A kind is a function of the week and a number; its order of events is the seed's.
"""

import random
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from fakes.action import FILES, FLAKY, SHUTDOWN, WRITERS, granted, job_log
from fakes.action import event as payload_of
from fakes.github import GitHubServer
from fakes.github.model import Issue, Repository, Run
from fakes.hostile import BRANCH

from week import hostile
from week.projects import PACKAGES, Bug, Project, bug, project

Ending = Literal["delivered", "told"]
NOISE_LINES = 60_000


@dataclass(frozen=True, slots=True)
class Event:
    """What sets the Action off: the runner's name for it, the payload, and who did it."""

    kind: str
    payload: Mapping[str, object]
    actor: str = "dev"


@dataclass(slots=True, kw_only=True)
class Incident:
    """A failed run of CI. ``branch`` is what was pushed, ``pull`` None where no pull request is for it.

    ``during`` happens once, in the middle of the Action's run; ``asked`` counts the commands that get an
    answer; ``repairs`` says whether the sandbox is reached.
    """

    number: int
    kind: str
    repository: Repository
    branch: str
    run: Run
    event: Event
    ending: Ending
    pull: Issue | None = None
    during: Callable[[], None] | None = None
    asked: int = 0
    repairs: bool = False


class Week:
    """The repositories of one team, and how its builds go red."""

    def __init__(self, github: GitHubServer, seed: int) -> None:
        self.github, self.world = github, github.world
        self.dice = random.Random(seed)
        self.places: list[tuple[Project, Repository]] = []
        for package in PACKAGES:
            made = project(package, self.dice)
            repository = self.world.repository(f"octo/{package}", made.files)
            repository.roles |= WRITERS
            self.places.append((made, repository))

    def incident(self, number: int, kind: str) -> Incident:
        """The next incident, of ``kind``."""
        made, repository = self.places[number % len(self.places)]
        return KINDS[kind](Scene(week=self, number=number, kind=kind, project=made, repository=repository))

    def own_run(self, repository: Repository, event: str) -> Run:
        """The run of the workflow that the Action is in."""
        head = repository.branch_head("main")
        return self.world.run(repository, head, workflow="Regreen", event=event, status="in_progress")

    def token(self, mode: str) -> str:
        """A token as the workflow's job of ``mode`` has it."""
        return self.world.actions_token(granted(mode))

    def say(self, incident: Incident, body: str, *, user: str = "dev") -> Event:
        """A comment below the incident's pull request, as the event that it is."""
        comment = self.world.comment(incident.pull, body, user=self.world.user(user))
        payload = payload_of("issue_comment", sender=user, pull=incident.pull, comment=comment)
        return Event("issue_comment", payload, user)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What a kind is set up with."""

    week: Week
    number: int
    kind: str
    project: Project
    repository: Repository

    def bug(self) -> Bug:
        return bug(self.project, self.week.dice)

    def breaking(self, *, shown: Callable[[str], str] = str, **more: object) -> Incident:
        """A change with a slip, whose log is ``shown`` of what pytest says."""
        slip = self.bug()
        return self.failing({slip.path: slip.content}, job_log(shown(slip.log)), **more)

    def failing(
        self,
        change: Mapping[str, object],
        log: bytes | None,
        *,
        branch: str = "",
        base: str = "main",
        fork: str = "",
        pulls: bool = True,
        **more: object,
    ) -> Incident:
        """A pull request (or a branch) with ``change``, and its failed run with ``log``."""
        world, repository = self.week.world, self.repository
        branch = branch or f"topic-{self.number}"
        source = world.fork(repository, fork) if fork else repository
        start = repository.branch_head(base)
        head = world.push(source, branch, change, start=start)
        pull = world.pull(repository, branch, base=base, fork=source if fork else None) if pulls else None
        run = world.run(
            repository,
            head,
            branch=branch,
            event="pull_request" if pulls else "push",
            head_repository=source,
            pulls=(pull.number,) if pull and not fork else (),
            actor=fork or "dev",
        )
        world.job(run, "lint", conclusion="success", log=job_log("All checks passed!\n"))
        world.job(run, "test", log=log)
        return Incident(
            **{"ending": "delivered", "repairs": True, **more},
            number=self.number,
            kind=self.kind,
            repository=repository,
            branch=branch,
            run=run,
            pull=pull,
            event=finished(run),
        )


def finished(run: Run) -> Event:
    """The event that a run has ended."""
    return Event("workflow_run", payload_of("workflow_run", sender="dev", run=run))


def in_the_diff(scene: Scene) -> Incident:
    """The pull request breaks what it changes."""
    return scene.breaking()


def outside_of_the_diff(scene: Scene) -> Incident:
    """The pull request brings tests, and the fault that they find lies where it changes nothing."""
    slip, base = scene.bug(), f"base-{scene.number}"
    test = f"tests/test_{slip.path.rpartition('/')[2]}"
    before = {slip.path: slip.content, test: b"def test_nothing():\n    pass\n"}
    scene.week.world.push(scene.repository, base, before)
    return scene.failing({test: scene.project.files[test]}, job_log(slip.log), base=base)


def older(scene: Scene, **more: object) -> Incident:
    """The fault is older than the pull request: it is said, and repaired on request."""
    slip, base = scene.bug(), f"base-{scene.number}"
    scene.week.world.push(scene.repository, base, {slip.path: slip.content})
    change = {"README.md": b"# Ours\n"}
    return scene.failing(change, job_log(slip.log), base=base, **{"ending": "told", **more})


def older_and_asked(scene: Scene) -> Incident:
    """Somebody asks for the repair of an older fault."""
    incident = older(scene, ending="delivered", asked=1)
    incident.event = scene.week.say(incident, "/regreen fix", user="boss")
    return incident


def on_a_branch(scene: Scene) -> Incident:
    """A branch is red, and no pull request is for it."""
    return scene.breaking(branch=f"release-{scene.number}", pulls=False)


def from_unknown_files(scene: Scene) -> Incident:
    """Names, files, logs and what tests print are as hostile as they can be; the fault is a real one."""
    slip = scene.bug()
    change = {slip.path: slip.content, **hostile.files(scene.project, slip)}
    branch = f"{BRANCH}-{scene.number}"
    return scene.failing(change, job_log(hostile.log(slip.log)), branch=branch)


def with_a_giant_log(scene: Scene) -> Incident:
    """Megabytes of noise before what matters."""
    noise = "".join(f"collecting wheel {n}: {'.' * 60}\n" for n in range(NOISE_LINES))
    return scene.breaking(shown=lambda log: noise + log)


def without_its_log(scene: Scene) -> Incident:
    """The log has expired: every test that fails in the sandbox counts."""
    incident = scene.breaking()
    incident.run.jobs[-1].log = None
    return incident


def pushed_meanwhile(scene: Scene) -> Incident:
    """While a patch is looked for, somebody pushes; CI is red for the new head as well."""
    incident = in_the_diff(scene)

    def push() -> None:
        head = scene.week.world.push(scene.repository, incident.branch, {"notes.md": b"later\n"})
        old = incident.run
        incident.run = scene.week.world.run(
            scene.repository, head, branch=incident.branch, pulls=(incident.pull.number,)
        )
        scene.week.world.job(incident.run, "test", log=old.jobs[-1].log)

    incident.during = push
    return incident


def asked_for_a_fork(scene: Scene) -> Incident:
    """A fork's pull request is red, and somebody who can write asks."""
    incident = scene.breaking(fork=f"guest-{scene.number}", asked=1)
    incident.event = scene.week.say(incident, "/regreen fix", user="boss")
    return incident


def fork_unasked(scene: Scene) -> Incident:
    """A fork's pull request is red; nobody asked."""
    return scene.breaking(fork=f"guest-{scene.number}", ending="told", repairs=False)


def asked_by_a_reader(scene: Scene) -> Incident:
    """Somebody asks who may not."""
    incident = scene.breaking(ending="told", repairs=False)
    incident.event = scene.week.say(incident, "/regreen fix", user="reader")
    return incident


def closed(scene: Scene) -> Incident:
    """The pull request was closed before the run ended."""
    incident = scene.breaking(ending="told", repairs=False)
    incident.pull.state = "closed"
    scene.week.world.move(scene.repository, f"refs/heads/{incident.branch}", None)
    return incident


def _without_a_patch(log: str) -> Callable[[Scene], Incident]:
    def made(scene: Scene) -> Incident:
        return scene.failing({"README.md": b"# More\n"}, job_log(log), ending="told", repairs=False)

    return made


def not_reproduced(scene: Scene) -> Incident:
    """The log says that a test fails, and in the sandbox it does not."""
    log = scene.bug().log
    return scene.failing({"README.md": b"# Other\n"}, job_log(log), ending="told", repairs=True)


KINDS: Mapping[str, Callable[[Scene], Incident]] = {
    "code, in the diff": in_the_diff,
    "code, outside of the diff": outside_of_the_diff,
    "code, older, asked": older_and_asked,
    "older, unasked": older,
    "code, a branch": on_a_branch,
    "code, hostile": from_unknown_files,
    "code, giant log": with_a_giant_log,
    "code, expired log": without_its_log,
    "code, pushed meanwhile": pushed_meanwhile,
    "code, a fork, asked": asked_for_a_fork,
    "a fork, unasked": fork_unasked,
    "asked by a reader": asked_by_a_reader,
    "closed": closed,
    "not reproduced": not_reproduced,
    "flaky": _without_a_patch(FLAKY),
    "infrastructure": _without_a_patch(SHUTDOWN),
    "dependency": _without_a_patch(FILES["dependency.log"]),
    "lint": _without_a_patch(FILES["lint.log"]),
}
SHARES = {"code, in the diff": 5, "code, outside of the diff": 2}
"""Of 23 incidents, so many are of that kind; of others, one."""


def plan(runs: int, dice: random.Random, only: Collection[str] = ()) -> list[str]:
    """The kinds of ``runs`` incidents, in the order in which they happen; of ``only`` these, if any."""
    once = [kind for kind in only or KINDS for _ in range(SHARES.get(kind, 1))]
    kinds = [once[number % len(once)] for number in range(runs)]
    dice.shuffle(kinds)
    return kinds
