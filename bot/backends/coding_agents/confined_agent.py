"""A coding agent at work: in a sandbox of its own, on a copy of the project, with what its profile names.

In bubblewrap it sees the system, its own installation and the copy; its home is empty at first, and kept
from turn to turn. Of the network it has its model's host (``agent_network``).
"""

import os
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from bot.backends.coding_agents.agent_network import reach_of
from bot.backends.coding_agents.agent_profile import AgentCall, AgentProfile
from bot.backends.coding_agents.installed import Installed
from bot.errors import ModelUnavailable
from bot.patch.globs import matches
from bot.patch.text import shown_surrogates
from bot.ports import AgentWork
from bot.scrub import Scrubber
from sandbox import cgroup, machine
from sandbox.base import MIB, Limits
from sandbox.environment.watched import Around, Room, Watched, confined, watch
from sandbox.errors import ArchiveRefused
from sandbox.machine import caller, scrubbed
from sandbox.snapshot import Snapshot, take

WORKSPACE = "/workspace"
TASK = "/opt/regreen/task.md"
MAX_WORD_BYTES = 100_000
"""Of a task on a command line; the kernel takes no longer word than 128 KiB."""
LIMITS = Limits(memory_mib=8192, processes=1024, disk_mib=4096)
NOT_STARTED = (126, 127)
"""Exit statuses of a shell that cannot start what it was asked to."""
# The task is its standard input as well. The directory is entered by a shell: bwrap enters "/".
_SHELL = 'cd "$1" && shift && exec "$@" < "$0"'


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSettings:
    """What an agent is started with; without ``isolated`` it has the caller's rights.

    ``environment`` holds the variables that its profile may name, ``python`` prepares its process.
    """

    model: str
    base_url: str
    environment: Mapping[str, str]
    python: str
    isolated: bool


class ConfinedAgent:
    """``CodingAgent`` for the program of ``profile``, on a copy of ``snapshot`` below ``place``."""

    def __init__(
        self,
        profile: AgentProfile,
        installed: Installed,
        snapshot: Snapshot,
        place: Path,
        settings: AgentSettings,
    ) -> None:
        self._profile, self._installed = profile, installed
        self._before, self._settings = snapshot.files, settings
        self._project, self._home, self._place = place / "project", place / "home", place
        self._task, self._turns = place / "task.md", 0
        self._home.mkdir(parents=True)
        self._project.mkdir()
        snapshot.lay_out(self._project)
        self._given = {name: settings.environment.get(name, "") for name in profile.variables}
        self._hide = Scrubber(value for value in self._given.values() if value)
        call = AgentCall(model=settings.model, base_url=settings.base_url)
        self._reach = reach_of(
            profile, settings.base_url if settings.isolated else "", profile.set_here(call), self._given
        )

    @property
    def name(self) -> str:
        """See ``CodingAgent.name``."""
        return self._profile.name

    @property
    def has_worked(self) -> bool:
        """See ``CodingAgent.has_worked``."""
        return self._turns > 0

    def work(self, task: str, *, files: Sequence[str], seconds: float) -> AgentWork:
        """See ``CodingAgent.work``."""
        self._turns += 1
        text = shown_surrogates(task).replace("\0", "")
        self._task.unlink(missing_ok=True)
        self._task.write_text(text, "utf-8")
        inside = self._settings.isolated
        home = machine.HOME if inside else str(self._home)
        project = WORKSPACE if inside else str(self._project)
        file = TASK if inside else str(self._task)
        is_short = len(text.encode()) <= MAX_WORD_BYTES
        call = AgentCall(
            task=text if is_short else f"Do what the file {file} asks for.",
            task_file=file,
            model=self._settings.model,
            base_url=self._settings.base_url,
            files=files,
        )
        words = [self._installed.path, *self._profile.words(call, turn=self._turns)[1:]]
        started = time.monotonic()
        try:
            done = self._run(["/bin/sh", "-c", _SHELL, file, project, *words], home, call, seconds)
        except (OSError, ValueError) as error:  # such as a word that is too long
            raise ModelUnavailable(f"the agent {self.name} cannot be started: {error}") from error
        if done.exit_status in NOT_STARTED and self._turns == 1:
            line = last_line(self._hide(done.said))
            raise ModelUnavailable(f"the agent {self.name} cannot be started: {line}")
        said = self._hide(done.said + self._reach.note())
        after, problem = dict(self._before), ""
        try:
            after = take(self._project).files
        except (ArchiveRefused, OSError, RecursionError) as error:
            problem = f"what it left cannot be read: {error}"
        changed = {path: data for path, data in after.items() if self._before.get(path) != data}
        return AgentWork(
            files={path: data for path, data in changed.items() if not self._is_its_own(path)},
            removed=tuple(sorted(self._before.keys() - after.keys())),
            exit_status=done.exit_status,
            said=said,
            seconds=time.monotonic() - started,
            cost=self._profile.dollars(done.said),
            problem=problem,
        )

    def _is_its_own(self, path: str) -> bool:
        """Whether it, or a directory that it lies in, is what the agent leaves for itself."""
        parts = path.split("/")
        ways = ("/".join(parts[: depth + 1]) for depth in range(len(parts)))
        return path not in self._before and any(matches(way, self._profile.own_files) for way in ways)

    def _run(self, argv: Sequence[str], home: str, call: AgentCall, seconds: float) -> Watched:
        with self._around(call) as around, cgroup.limited(LIMITS) as group:
            inside = self._settings.isolated
            return watch(
                [*group.enter(around.words), *argv],
                environment={} if inside else self._variables(home, caller(), call),
                timeout_s=seconds,
                descriptors=around.descriptors,
                connected=around.connected,
                room=Room.on(str(self._place), most=LIMITS.disk_mib * MIB),
            )

    def _around(self, call: AgentCall) -> AbstractContextManager[Around]:
        if not self._settings.isolated:
            return nullcontext(Around())
        return confined(
            self._settings.python,
            readable={**{place: place for place in self._installed.places}, TASK: str(self._task)},
            writable={WORKSPACE: str(self._project), machine.HOME: str(self._home)},
            variables=self._variables(machine.HOME, machine.USER, call),
            network=self._reach.network(self._place / f"net{self._turns}", self._settings.python),
        )

    def _variables(self, home: str, user: str, call: AgentCall) -> dict[str, str]:
        given = {name: value for name, value in self._given.items() if value}
        path = os.pathsep.join([*self._installed.search, machine.DEFAULT_PATH])
        return scrubbed({**self._profile.set_here(call), **given}, home=home, path=path, user=user)


def last_line(said: str) -> str:
    """The last line of what a program printed."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return lines[-1][:200] if lines else "it says nothing"
