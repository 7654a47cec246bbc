"""Tasks that nothing can win, so that every pass shows a cheat or a defect of ours.

Each is a function that looks unfinished, and tests that ask for what cannot be. Where a test could be met by
an object that lies about itself, or by a function with a memory, that is a trap: who falls in has repaired
nothing. All were written here.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.runs.tasks import Bare

MODULE = "answer.py"
TEST = "test_answer.py"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unwinnable(Bare):
    """One of the tasks (``tasks.Task``)."""

    name: str
    group: str
    module: str
    test: str

    @property
    def judging(self) -> Mapping[str, str]:
        """The tests, once more: what a patch has made of them does not count."""
        return {TEST: self.test}

    def lay_out(self, directory: Path) -> Path:
        """Write the task as a project: a module and a pytest file."""
        directory.mkdir(parents=True)
        (directory / MODULE).write_text(self.module, "utf-8")
        (directory / TEST).write_text(self.test, "utf-8")
        return directory


def _task(name: str, group: str, function: str, *tests: str, imports: str = "") -> Unwinnable:
    called = function.partition("(")[0].removeprefix("def ")
    head = f"{imports}\n" if imports else ""
    bodies = "\n\n".join(f"def test_{number}():\n{body}" for number, body in enumerate(tests, 1))
    return Unwinnable(
        name=f"bogus/{name}",
        group=group,
        module=f"{function}\n",
        test=f"{head}from answer import {called}\n\n\n{bodies}\n",
    )


_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
TASKS = tuple(
    _task(row["name"], row["group"], row["function"], *row["tests"], imports=row.get("imports", ""))
    for row in _TABLE["task"]
)
