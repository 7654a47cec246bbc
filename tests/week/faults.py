"""What goes wrong while the Action runs: GitHub, the network, the sandbox, the disk, the runner itself.

A fault strikes once, at a request or a line of the log that the seed has chosen, and says whether it did.
"""

import os
import random
import re
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from fakes.github import Fault, GitHubServer, secondary_limit
from fakes.github.faults import Plan

from week import machine

SMALL_DISK_KIB = 12
LONG_LIMIT_S = 3600
SHORT_LIMIT_S = 1
FEW, MANY = 5, 14  # what ends before a repair asks about 6 times, one that begins about 30
_WRITES = "POST"


@dataclass(slots=True)
class Limit:
    """GitHub's primary limit (``server.RateLimit``): none left until ``reset``, then all again."""

    reset: int
    limit: int = 5000

    @property
    def remaining(self) -> int:
        return 0 if time.time() < self.reset else self.limit

    @remaining.setter
    def remaining(self, value: int) -> None:
        """It is not counted down: one fault at a time."""


@dataclass(slots=True, kw_only=True)
class Happening:
    """One run's fault in the making.

    ``requests`` are so many that it strikes among the first of them; ``process`` is the Action's, 0 before it
    is known.
    """

    github: GitHubServer
    disk: Path
    dice: random.Random
    requests: int = MANY
    process: int = 0
    struck: bool = False
    watching: Callable[[str], None] = lambda line: None

    def watch(self, line: str, process: int) -> None:
        """See ``machine.Watch``."""
        self.process = process
        self.watching(line)

    def signal(self, number: int) -> None:
        self.struck = True
        with suppress(ProcessLookupError):
            if self.process:
                os.kill(self.process, number)

    def at_stage(self, names: str, act: Callable[[], None]) -> None:
        """Do ``act`` once, when the log says that the repair is at one of ``names``."""

        def see(line: str) -> None:
            if not self.struck and re.search(rf"\d s  ({names}): ", line):
                self.struck = True
                act()

        self.watching = see

    def kill_sandbox(self) -> None:
        """End every process that the Action has started."""
        for pid in machine.descendants(self.process):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


@contextmanager
def happening(name: str, here: Happening) -> Iterator[None]:
    """Let the fault ``name`` happen to one run of the Action."""
    github = here.github
    before = github.rate, github.cuts
    with ExitStack() as stack:
        strike = FAULTS[name](here, stack)
        if strike:
            github.plans.append(strike)
        try:
            yield
        finally:
            if strike:
                github.plans.remove(strike)
                here.struck = here.struck or strike.struck > 0
            here.struck = here.struck or github.cuts < before[1] + _CUTS.get(name, 0)
            github.rate, github.cuts = before


_CUTS = {"a download cut": 1}
_Make = Callable[[Happening, ExitStack], Plan | None]


def _plan(here: Happening, method: str, *, among: int = 0, **more: object) -> Plan:
    """At a request that the seed chooses ``among`` the first so many."""
    skip = here.dice.randrange(among or here.requests)
    return Plan(method=method, path=r"^/repos/", skip=skip, **more)


def _answer(method: str, fault: Fault, **more: int) -> _Make:
    return lambda here, stack: _plan(here, method, fault=fault, **more)


def _limit(seconds: int) -> _Make:
    def make(here: Happening, stack: ExitStack) -> Plan:
        def begin() -> None:
            # A second is not divided in what GitHub says.
            here.github.rate = Limit(int(time.time()) + seconds + 1)

        return _plan(here, "*", act=begin)

    return make


def _signal_at_request(number: int, method: str, *, among: int = 0, effect: bool = False) -> _Make:
    # Nobody is there to hear an answer after SIGKILL; SIGTERM lets the request end as it would.
    fault = Fault(effect=effect) if number == signal.SIGKILL else None
    return lambda here, stack: _plan(here, method, among=among, act=lambda: here.signal(number), fault=fault)


def _signal_at_stage(number: int) -> _Make:
    def make(here: Happening, stack: ExitStack) -> None:
        here.at_stage("reproduce|localise|search|minimise|validate", lambda: here.signal(number))

    return make


def _sandbox_killed(here: Happening, stack: ExitStack) -> None:
    here.at_stage(here.dice.choice(("localise", "search", "minimise")), here.kill_sandbox)


def _disk_full(here: Happening, stack: ExitStack) -> None:
    stack.enter_context(machine.small_disk(here.disk, SMALL_DISK_KIB))
    here.struck = True


def _download_cut(here: Happening, stack: ExitStack) -> None:
    here.github.cuts += _CUTS["a download cut"]


FAULTS: Mapping[str, _Make] = {
    "none": lambda here, stack: None,
    "500 before the effect": _answer("*", Fault(status=500)),
    "500 after the effect": _answer(_WRITES, Fault(status=500, effect=True), among=2),
    "502 three times": _answer("GET", Fault(status=502), times=3),
    "cut before the effect": _answer("*", Fault()),
    "cut after the effect": _answer(_WRITES, Fault(effect=True), among=2),
    "no write answered": _answer(_WRITES, Fault(status=503), times=-1, among=1),
    "secondary limit": _answer(_WRITES, secondary_limit(SHORT_LIMIT_S), among=2),
    "primary limit, a second": _limit(SHORT_LIMIT_S),
    "primary limit, an hour": _limit(LONG_LIMIT_S),
    "a download cut": _download_cut,
    "SIGTERM at a request": _signal_at_request(signal.SIGTERM, "*"),
    "SIGTERM in the repair": _signal_at_stage(signal.SIGTERM),
    "SIGKILL at a request": _signal_at_request(signal.SIGKILL, "*"),
    "SIGKILL before a write": _signal_at_request(signal.SIGKILL, _WRITES, among=2),
    "SIGKILL after a write": _signal_at_request(signal.SIGKILL, _WRITES, among=2, effect=True),
    "SIGKILL in the repair": _signal_at_stage(signal.SIGKILL),
    "the sandbox killed": _sandbox_killed,
    "disk full": _disk_full,
}
ONLY_REPAIRS = frozenset(
    {
        *("SIGTERM in the repair", "SIGKILL in the repair", "the sandbox killed", "disk full"),
        "a download cut",
    }
)
"""Those that nothing but a run which reaches the sandbox meets."""

ONLY_WRITES = frozenset(
    {
        *("500 after the effect", "cut after the effect", "no write answered", "secondary limit"),
        *("SIGKILL before a write", "SIGKILL after a write"),
    }
)


def job(fault: str, modes: Sequence[str], dice: random.Random) -> str:
    """In which of a run's jobs ``fault`` can happen."""
    if fault in ONLY_REPAIRS:
        return modes[0]
    return modes[-1] if fault in ONLY_WRITES else dice.choice(modes)


def draw(dice: random.Random, *, repairs: bool, writes: bool) -> str:
    """A fault that can happen to such a run, or none: about one run in three is left in peace."""
    kept = [name for name in FAULTS if repairs or name not in ONLY_REPAIRS]
    names = [name for name in kept if writes or name not in ONLY_WRITES]
    return dice.choice([*names, *["none"] * (len(names) // 2)])
