"""A copy of a project in which other tools work, with the project's environment, outside of any sandbox."""

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.inside import judged_tests
from benchmarks.libraries.copies import Copy
from benchmarks.libraries.environment import Environment
from bot.errors import MachineError
from sandbox.command import PytestCommand

DRIVERS = Path(judged_tests.__file__).parent
TIMEOUT_S = 3600


class Outside(Copy):
    """The copy with what lets the tools judge by given tests alone."""

    def __init__(self, environment: Environment, project: Path, directory: Path) -> None:
        super().__init__(environment, project, directory)
        self.plugins = directory / "plugins"
        self.plugins.mkdir()
        shutil.copy(judged_tests.__file__, self.plugins)
        self._judged = directory / "tests.json"
        self._left_out: tuple[str, ...] = ()

    def judging_variables(self) -> dict[str, str]:
        """What the test process gets in its environment."""
        command = self._environment.command
        assert isinstance(command, PytestCommand)
        given = self.variables(with_root=command.add_root_to_path)
        given[judged_tests.VARIABLE] = str(self._judged)
        given["PYTEST_ADDOPTS"] = " ".join([*filter(None, [given.get("PYTEST_ADDOPTS")]), *self._options()])
        return given

    def _options(self) -> list[str]:
        """What of a project's own options would start other processes or measure coverage, undone."""
        plugins = {"xdist": "-n0", "pytest_cov": "--no-cov"}
        packages = site_packages(self._environment.python)
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
        argv = [str(python), str(DRIVERS / f"{driver}.py"), str(file)]
        printed = self._directory / f"{driver}.output"
        status = self.run(argv, self.judging_variables() if with_project else {}, printed, TIMEOUT_S)
        if not output.exists():
            said = printed.read_bytes()[-1500:].decode("utf-8", "replace")
            raise MachineError(f"{driver} gives no answer, exit status {status}: {said.strip()}")
        answer = json.loads(output.read_text("utf-8"))
        assert isinstance(answer, dict)
        return answer


def site_packages(python: Path) -> list[Path]:
    """Where the packages of the environment of ``python`` lie."""
    return sorted((python.parent.parent / "lib").glob("python*/site-packages"))
