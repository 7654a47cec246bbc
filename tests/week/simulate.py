"""Lives through the incidents one by one: fault, restart, what follows; and looks at what came of it."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Literal

from fakes.action import environment
from fakes.github import GitHubServer
from fakes.github.faults import Plan
from fakes.github.model import Repository
from fakes.github.server import RateLimit
from fakes.hostile import ECHOED

from bot.delivery.sticky import change_id
from week import faults, invariants, machine
from week.faults import Happening, happening
from week.incidents import Event, Incident, Week, finished, plan

AGAIN = 3
"""So often a person starts a run again that failed."""

JOB_SECRETS = ("runtime-token-of-the-job", "identity-token-of-the-job")
AFTER_PULL = ("rerun", "apply", "dismiss", "explain", "green", "moved")
AFTER_FORK = ("rerun", "dismiss", "explain")
WRITING = frozenset({"apply", "explain"})
"""What of that begins with something new on GitHub; the rest changes what is there."""

FOLLOWED = 0.6
"""Of proposals that stand, the share that something follows upon."""


@dataclass(slots=True, kw_only=True)
class Row:
    """What came of one incident.

    ``statuses`` are of the Action's runs; ``strikes`` tell of each fault whether it struck, and how that run
    ended; ``delivery`` is what stood before what happened ``after``; ``breaches`` are what must not be.
    """

    number: int
    kind: str
    fault: str
    jobs: Literal[1, 2]
    after: str = ""
    statuses: list[int] = field(default_factory=list)
    outcome: str = ""
    delivery: list[str] = field(default_factory=list)
    strikes: list[dict[str, object]] = field(default_factory=list)
    seconds: float = 0.0
    breaches: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """An incident, what came of it so far, and the chance in it."""

    incident: Incident
    row: Row
    dice: random.Random


@dataclass(slots=True, kw_only=True)
class Simulation:
    """``inputs`` are the Action's, the sandbox among them; ``directory`` is the machine's disk.

    ``only`` these faults and ``kinds`` happen; all of them where none are named.
    """

    github: GitHubServer
    directory: Path
    inputs: dict[str, str]
    seed: int
    only: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    week: Week = field(init=False)
    asked: dict[str, Counter[int]] = field(init=False)
    secrets: set[str] = field(init=False)
    _runs: int = 0
    _seen: int = 0
    _said: set[str] = field(default_factory=set)
    _patch: str = ""  # the last one that was found

    def __post_init__(self) -> None:
        self.week = Week(self.github, self.seed)
        self.asked = {repository.full_name: Counter() for _, repository in self.week.places}
        self.secrets = {*JOB_SECRETS, ECHOED}
        machine.adopt_orphans()

    @property
    def bot(self) -> str:
        """The account that a job's token writes with."""
        return self.github.world.bot.login

    def rows(self, runs: int, first: int = 0) -> Iterator[Row]:
        """Each incident from ``first`` as it ends."""
        dice = random.Random(f"faults {self.seed}")
        for number, kind in list(enumerate(plan(runs, dice, self.kinds)))[first:]:
            self.github.rate = RateLimit()  # so many an hour: by the next incident there are all again
            own = random.Random(f"{self.seed} {number}")
            incident = self.week.incident(number, kind)
            fault = (
                own.choice(self.only)
                if self.only
                else faults.draw(own, repairs=incident.repairs, writes=incident.ending == "delivered")
            )
            row = Row(number=number, kind=kind, fault=fault, jobs=own.choice((1, 2)))
            self._live(incident, row, own)
            yield row

    def _live(self, incident: Incident, row: Row, dice: random.Random) -> None:
        number = incident.pull.number if incident.pull else 0
        self.asked[incident.repository.full_name][number] += incident.asked
        during = None
        if incident.during:
            during = Plan(method="GET", path="/tarball/", act=incident.during)
            self.github.plans.append(during)
        occasion = Occasion(incident=incident, row=row, dice=dice)
        self._settle(occasion, incident.event, row.fault)
        if during:
            self.github.plans.remove(during)
            self._settle(occasion, finished(incident.run), "none")
        row.delivery = self._standing(incident)
        self._check_ending(incident, row)
        if row.delivery and dice.random() < FOLLOWED:
            self._afterwards(occasion)
        row.breaches += self._twice(incident)

    def _settle(self, occasion: Occasion, event: Event, fault: str) -> None:
        """Start the Action, and again where it fails: what a person does who presses the button."""
        row = occasion.row
        modes = ["repair"] if row.jobs == 1 else ["propose", "publish"]
        directory = self.directory / f"{row.number}-{self._runs}"
        struck_in = faults.job(fault, modes, occasion.dice)
        for _ in range(AGAIN + 1):
            for mode in list(modes):
                ran = self._run(occasion, event, directory, mode, fault if mode == struck_in else "none")
                row.statuses.append(ran.status)
                self._patch = ran.outputs.get("patch") or self._patch
                if not row.after:
                    row.outcome = ran.outputs.get("outcome", row.outcome)
                if ran.status:
                    break
                modes.remove(mode)  # "Re-run failed jobs" keeps what went well, and what it handed on
            if not modes:
                return
            fault = "none"
        row.breaches.append(f"it failed {AGAIN + 1} times: {ran.log[-300:]}")

    def _run(self, occasion: Occasion, event: Event, directory: Path, mode: str, fault: str) -> machine.Ran:
        self._runs += 1
        repository, row = occasion.incident.repository, occasion.row
        disk = directory / f"disk-{self._runs}"
        for one in (disk, directory / "workspace"):
            one.mkdir(parents=True, exist_ok=True)
        token = self.week.token(mode)
        self.secrets.add(token)
        place = SimpleNamespace(github=self.github, own_run=self.week.own_run(repository, event.kind))
        given = environment(place, directory, event.kind, event.payload, token, {**self.inputs, "mode": mode})
        given |= {
            "GITHUB_REPOSITORY": repository.full_name,
            "GITHUB_ACTOR": event.actor,
            "GITHUB_TRIGGERING_ACTOR": event.actor,
            "TMPDIR": str(disk),
        }
        many = occasion.incident.repairs and not row.after
        requests = faults.MANY if many else faults.FEW
        here = Happening(github=self.github, disk=disk, dice=occasion.dice, requests=requests)
        with happening(fault, here):
            ran = machine.run(given, directory, watch=here.watch)
        if fault != "none":
            row.strikes.append({"fault": fault, "struck": here.struck, "status": ran.status})
        row.seconds += ran.seconds
        row.breaches += self._after_run(ran, directory)
        return ran

    def _after_run(self, ran: machine.Ran, directory: Path) -> Iterator[str]:
        yield from (f"left: {one}" for one in ran.left)
        if (directory / "home").exists():
            yield "left: something in the home of the machine"
        if ran.status == 70 or "Traceback" in ran.log:
            yield f"no clear error: {ran.log[-400:]}"
        if ran.status > 0 and ran.status < 128 and "::error title=Regreen" not in ran.log:
            yield f"the status {ran.status} without a word"
        pages = {f"what it left on its disk, {n}": page for n, page in enumerate(ran.pages)}
        pages |= {f"the output {name}": text for name, text in ran.outputs.items()}
        pages["its log"], pages["its summary"] = invariants.unmasked(ran.log), ran.summary
        pages["what it sent"] = invariants.sent(self.github.requests[self._seen :])
        self._seen = len(self.github.requests)
        yield from invariants.leaked(self.secrets, pages)

    def _standing(self, incident: Incident) -> list[str]:
        return invariants.delivered(incident.repository, incident.pull, incident.branch, bot=self.bot)

    def _check_ending(self, incident: Incident, row: Row) -> None:
        known = invariants.state(incident.pull, bot=self.bot) if incident.pull else {}
        if incident.ending == "told":
            if row.delivery or known:
                row.breaches.append(f"written although nothing was to be: {row.delivery}")
        elif not row.delivery and self._is_dismissed(incident.repository):
            pass  # people did so below another pull request
        elif len(row.delivery) != 1:
            row.breaches.append(f"lost: {row.outcome}, and what stands is {row.delivery}")
        elif incident.pull and known.get("head") != incident.pull.pull.head_sha:
            row.breaches.append(f"lost: what stands is for {known.get('head')}")

    def _is_dismissed(self, repository: Repository) -> bool:
        """Whether a comment of Regreen's in the repository says that the last patch was dismissed."""
        pulls = [one for one in repository.issues.values() if one.pull]
        states = (invariants.state(pull, bot=self.bot) for pull in pulls)
        return any(change_id(self._patch) in state.get("refused", ()) for state in states)

    def _afterwards(self, occasion: Occasion) -> None:
        """What people and CI do when a proposal stands, with a fault in its midst now and then."""
        incident, row, dice = occasion.incident, occasion.row, occasion.dice
        is_fork = bool(incident.pull and incident.pull.pull.head_repository is not incident.repository)
        row.after = dice.choice(AFTER_FORK if is_fork else AFTER_PULL) if incident.pull else "rerun"
        self._settle(
            occasion,
            self._event(row.after, incident),
            faults.draw(dice, repairs=False, writes=row.after in WRITING),
        )
        standing = self._standing(incident)
        status = invariants.state(incident.pull, bot=self.bot).get("status") if incident.pull else ""
        wanted = {"apply": "applied", "dismiss": "dismissed", "green": "withdrawn", "moved": "withdrawn"}
        if row.after in wanted and (status != wanted[row.after] or standing):
            row.breaches.append(f"after {row.after}: {status}, and what stands is {standing}")
        if row.after not in wanted and len(standing) != 1:
            row.breaches.append(f"after {row.after}: what stands is {standing}")

    def _event(self, after: str, incident: Incident) -> Event:
        world, run = self.github.world, incident.run
        if after in {"apply", "dismiss", "explain"}:
            self.asked[incident.repository.full_name][incident.pull.number] += 1
            return self.week.say(incident, f"/regreen {after}", user="boss")
        if after == "moved":
            files = {"notes.md": b"green again\n"}
            head = world.push(incident.repository, incident.branch, files)
            pulls = (incident.pull.number,)
            run = world.run(
                incident.repository, head, branch=incident.branch, pulls=pulls, conclusion="success"
            )
        if after == "green":
            run.conclusion = "success"
        return incident.event if after == "rerun" and incident.asked else finished(run)

    def _twice(self, incident: Incident) -> list[str]:
        repository = incident.repository
        asked = self.asked[repository.full_name]
        found = [*invariants.twice(repository, bot=self.bot, asked=asked), *invariants.stray(repository)]
        return [one for one in found if not self._told_before(one)]

    def _told_before(self, breach: str) -> bool:
        """A breach stays what it is; the incident that brought it is the one that tells."""
        known = breach in self._said
        self._said.add(breach)
        return known
