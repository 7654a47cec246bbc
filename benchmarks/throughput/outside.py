"""A copy of a project in which other tools work, with the project's environment, outside of any sandbox."""

import json
import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.inside import judged_tests
from benchmarks.libraries import suite
from benchmarks.libraries.environment import WORKSPACE, Environment
from bot.errors import MachineError
from sandbox.command import PytestCommand
from sandbox.machine import caller, scrubbed

DRIVERS = Path(judged_tests.__file__).parent
TIMEOUT_S = 3600


class Outside:
    """A copy of ``project`` below ``directory``, seen where a sandbox has it if this user may mount."""

    def __init__(self, environment: Environment, project: Path, directory: Path) -> None:
        self._environment, self._directory = environment, directory
        self.copy, home = directory / "copy", directory / "home"
        shutil.copytree(project, self.copy, symlinks=True)
        suite.lay_over(environment.snapshot, self.copy)
        home.mkdir()
        self.plugins = directory / "plugins"
        self.plugins.mkdir()
        shutil.copy(judged_tests.__file__, self.plugins)
        self._mount = suite.mounting(self.copy)
        self.place = Path(WORKSPACE) if self._mount else self.copy
        self._judged = directory / "tests.json"
        self._left_out: tuple[str, ...] = ()

    @property
    def variables(self) -> dict[str, str]:
        """What the test process gets in its environment."""
        given = dict(self._environment.variables(self.place))
        command = self._environment.command
        assert isinstance(command, PytestCommand)
        root = [str(self.place)] if command.add_root_to_path else []
        paths = [*(str(self.place / path) for path in command.search_path), *root]
        given["PYTHONPATH"] = ":".join([*paths, *filter(None, [given.get("PYTHONPATH", "")])])
        given[judged_tests.VARIABLE] = str(self._judged)
        given["PYTEST_ADDOPTS"] = " ".join([*filter(None, [given.get("PYTEST_ADDOPTS")]), *self._options()])
        return given

    def _options(self) -> list[str]:
        """What of a project's own options would start other processes or measure coverage, undone."""
        plugins = {"xdist": "-n0", "pytest_cov": "--no-cov"}
        packages = list((self._environment.python.parent.parent / "lib").glob("python*/site-packages"))
        found = [option for name, option in plugins.items() if any((at / name).is_dir() for at in packages)]
        return [*found, *(f"--ignore={path}" for path in self._left_out)]

    def judge_by(self, tests: Sequence[str], *, without: Iterable[str] = ()) -> None:
        """Let ``tests`` be the only ones that are run, and collect no file of ``without``."""
        self._judged.write_text(json.dumps(list(tests)), "utf-8")
        self._left_out = tuple(sorted(without))

    def drive(
        self, driver: str, python: Path, task: Mapping[str, Any], *, with_project: bool = False
    ) -> dict[str, Any]:
        """What the program ``driver`` answers to ``task``, run by ``python``.

        ``with_project`` gives it the variables of the project's environment.

        Raises:
            MachineError: it gives no answer.
        """
        output, file = self._directory / f"{driver}.answer", self._directory / f"{driver}.json"
        output.unlink(missing_ok=True)
        file.write_text(json.dumps({**task, "output": str(output), "plugins": str(self.plugins)}), "utf-8")
        variables = scrubbed(
            self.variables if with_project else {},
            home=str(self._directory / "home"),
            path=os.environ.get("PATH", os.defpath),
            user=caller(),
        )
        argv = [*self._mount, *suite.unprivileged(), str(python), str(DRIVERS / f"{driver}.py"), str(file)]
        printed = self._directory / f"{driver}.output"
        status = suite.run(argv, self.copy, {**variables, suite.MARK: driver}, printed, TIMEOUT_S)
        if not output.exists():
            said = printed.read_bytes()[-1500:].decode("utf-8", "replace")
            raise MachineError(f"{driver} gives no answer, exit status {status}: {said.strip()}")
        answer = json.loads(output.read_text("utf-8"))
        assert isinstance(answer, dict)
        return answer
