"""The seam to how Regreen prepares a project: the one module here that knows of environments and commands.

It asks for what ``regreen fix`` asks for: the same sandbox, the same environment, the same test command.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.runs.verify import Quiet
from bot import compose
from bot.config.settings import Settings
from sandbox.command import PytestCommand, ScriptCommand, ShellCommand
from sandbox.environment.builder import PreparedEnvironment
from sandbox.reports import TestReport
from sandbox.snapshot import Snapshot
from sandbox.testing import SandboxTestbeds

# Where every sandbox that isolates has the project.
WORKSPACE = "/workspace"


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """A project's environment, ready to run its suite in sandboxes.

    ``plan`` names in a line which plan was taken. ``report`` is of the whole suite, where the tests were run
    to choose. ``seconds`` is what all of it took, that run apart.
    """

    beds: SandboxTestbeds
    command: PytestCommand | ScriptCommand | ShellCommand
    plan: str
    report: TestReport | None
    seconds: float

    @property
    def python(self) -> Path:
        """The interpreter that runs the tests, as this machine finds it."""
        return Path(self.beds.spec.python)

    @property
    def snapshot(self) -> Snapshot:
        """The project's files, with what a build made beside them."""
        return self.beds.snapshot

    def variables(self, project: Path) -> Mapping[str, str]:
        """What the test process gets in its environment, for a copy of the project at ``project``."""
        given = {**self.beds.spec.environment, **self.beds.environment, **dict(self._launch)}
        return {name: _moved(value, project) for name, value in given.items()}

    @property
    def _launch(self) -> tuple[tuple[str, str], ...]:
        return () if isinstance(self.command, ShellCommand) else self.command.launch.environment


@contextmanager
def prepared(settings: Settings, snapshot: Snapshot) -> Iterator[Environment]:
    """The environment of the project in ``snapshot``, as ``regreen fix`` with ``settings`` makes it.

    Raises:
        RegreenError: the settings cannot be used.
        sandbox.errors.SandboxError: there is no environment; the message says why.
    """
    with ExitStack() as resources:
        started = time.perf_counter()
        chosen = compose.choose(settings, snapshot, Quiet(), resources=resources)
        seconds = time.perf_counter() - started
        chosen.held.close()  # what is measured runs in sandboxes of its own
        yield Environment(
            beds=chosen.beds,
            command=chosen.way.command.command,
            plan=plan(chosen.environment, chosen.way.text),
            report=chosen.report,
            seconds=seconds - (chosen.report.seconds if chosen.report else 0.0),
        )


def plan(environment: PreparedEnvironment, command: str) -> str:
    """The plan of ``environment`` in a line, with its Python and with ``command`` where there is one."""
    lines = environment.explanation.splitlines()
    python = next((line.partition(":")[0] for line in lines if line.startswith("Python ")), "")
    left_out = f"{len(environment.left_out)} left out" if environment.left_out else ""
    by = f"by {command}" if command else ""
    return "; ".join(part for part in (environment.name, python, by, left_out) if part)


def _moved(value: str, project: Path) -> str:
    """``value`` with the paths below the sandbox's workspace below ``project`` instead."""
    parts = value.split(":")
    return ":".join(
        f"{project}{part.removeprefix(WORKSPACE)}"
        if part == WORKSPACE or part.startswith(f"{WORKSPACE}/")
        else part
        for part in parts
    )
