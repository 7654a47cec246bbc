"""QuixBugs (Lin et al., "QuixBugs: A Multi-Lingual Program Repair Benchmark Set", 2017), in a checkout.

A Python program's tests are its file in ``python_testcases/``, some of which read calls from
``json_testcases/``. None of the dataset's text is part of this repository.
"""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Program(Bare):
    """One program (``tasks.Task``)."""

    name: str
    checkout: Path

    @property
    def group(self) -> str:
        """All are of one kind."""
        return "programs"

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
        for path in (f"{PROGRAMS}/{self.program}.py", f"{TESTS}/test_{self.program}.py"):
            (directory / path).write_bytes((self.checkout / path).read_bytes())
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


def programs_in(checkout: Path) -> list[Program]:
    """The programs of the ``checkout`` that have tests, by name.

    Raises:
        ConfigurationError: it is no checkout of QuixBugs with its tests for pytest.
    """
    programs = [
        Program(name=f"quixbugs/{path.stem}", checkout=checkout)
        for path in sorted((checkout / PROGRAMS).glob("*.py"))
        if (checkout / TESTS / f"test_{path.stem}.py").is_file()
    ]
    if not programs:
        raise ConfigurationError(f"no checkout of QuixBugs in {checkout}: it has {PROGRAMS}/ and {TESTS}/")
    return programs
