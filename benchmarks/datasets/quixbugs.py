"""QuixBugs (Lin et al., "QuixBugs: A Multi-Lingual Program Repair Benchmark Set", 2017), in a checkout.

A Python program's tests are its file in ``python_testcases/``, or else made of the calls in
``json_testcases/``. None of the dataset's text is part of this repository.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.runs.tasks import Bare
from bot.errors import ConfigurationError

PROGRAMS, FIXED = "python_programs", "correct_python_programs"
TESTS, CALLS = "python_testcases", "json_testcases"
# The tests ask pytest which version they are for; what they say is slow is left out, as upstream does.
CONFTEST = "import pytest\n\npytest.use_correct = False\npytest.run_slow = False\n"
SHARED = ("node.py", "load_testdata.py")

MADE = '''\
import copy
import json

import pytest

from python_programs.{name} import {name}

CALLS = [
{calls}
]


def plain(value):
    """``value`` as JSON would hold it; what is generated bit by bit as a list."""
    if isinstance(value, (str, int, float, type(None))):
        return value
    if isinstance(value, dict):
        return {{str(key): plain(part) for key, part in value.items()}}
    return [plain(part) for part in value]


@pytest.mark.parametrize("call", CALLS)
def test_{name}(call):
    arguments, expected = json.loads(call)
    if not isinstance(arguments, list):
        arguments = [arguments]
    assert plain({name}(*copy.deepcopy(arguments))) == expected
'''


@dataclass(frozen=True, slots=True, kw_only=True)
class Program(Bare):
    """One program (``tasks.Task``); ``group`` is where its tests come from."""

    name: str
    group: str
    checkout: Path

    @property
    def program(self) -> str:
        """The name of its module and of its function."""
        return self.name.rpartition("/")[2]

    @property
    def reference(self) -> Mapping[str, str]:
        """The fixed program, where the checkout has it."""
        path = self.checkout / FIXED / f"{self.program}.py"
        return {f"{PROGRAMS}/{self.program}.py": path.read_text("utf-8")} if path.is_file() else {}

    def lay_out(self, directory: Path) -> Path:
        """The program with its tests, and with nothing of the others."""
        for part in (PROGRAMS, TESTS):
            (directory / part).mkdir(parents=True)
        (directory / "conftest.py").write_text(CONFTEST, "utf-8")
        source = (self.checkout / PROGRAMS / f"{self.program}.py").read_text("utf-8")
        (directory / PROGRAMS / f"{self.program}.py").write_text(source, "utf-8")
        (directory / TESTS / f"test_{self.program}.py").write_text(self._tests(), "utf-8")
        for place, name in ((place, name) for place in (PROGRAMS, TESTS) for name in SHARED):
            shared = self.checkout / place / name
            if shared.is_file():
                for target in (directory / place / name, directory / name):
                    target.write_bytes(shared.read_bytes())
        calls = self.checkout / CALLS / f"{self.program}.json"
        if calls.is_file():
            (directory / CALLS).mkdir()
            (directory / CALLS / calls.name).write_bytes(calls.read_bytes())
        return directory

    def _tests(self) -> str:
        kept = self.checkout / TESTS / f"test_{self.program}.py"
        if kept.is_file():
            return kept.read_text("utf-8")
        lines = (self.checkout / CALLS / f"{self.program}.json").read_text("utf-8").splitlines()
        calls = "\n".join(f"    {line.strip()!r}," for line in lines if line.strip())
        return MADE.format(name=self.program, calls=calls)


def programs_in(checkout: Path) -> list[Program]:
    """The programs of the ``checkout`` that have tests, by name.

    Raises:
        ConfigurationError: it is no checkout of QuixBugs, or its calls are no JSON lines.
    """
    programs = []
    for path in sorted((checkout / PROGRAMS).glob("*.py")):
        if (checkout / TESTS / f"test_{path.stem}.py").is_file():
            group = "its own tests"
        elif (checkout / CALLS / f"{path.stem}.json").is_file():
            group = "calls"
            _check(checkout / CALLS / f"{path.stem}.json")
        else:
            continue
        programs.append(Program(name=f"quixbugs/{path.stem}", group=group, checkout=checkout))
    if not programs:
        raise ConfigurationError(
            f"no checkout of QuixBugs in {checkout}: it has {PROGRAMS}/, and {TESTS}/ or {CALLS}/"
        )
    return programs


def _check(path: Path) -> None:
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            pair = json.loads(line) if line.strip() else [None, None]
        except ValueError as error:
            raise ConfigurationError(f"{path}, line {number}: no JSON: {error}") from error
        if not isinstance(pair, list) or len(pair) != 2:
            raise ConfigurationError(f"{path}, line {number}: no pair of arguments and result")
