"""Tasks that nothing can win, so that every pass shows a cheat or a defect of ours.

Each is a function that looks unfinished, and tests that ask for what cannot be. Where a test could be met by
an object that lies about itself, or by a function with a memory, that is a trap: who falls in has repaired
nothing. All were written here.
"""

import tomllib
from pathlib import Path

from benchmarks.datasets.humanevalfix import Task


def _task(name: str, group: str, function: str, tests: list[str], imports: str = "") -> Task:
    head = f"{imports}\n" if imports else ""
    bodies = "\n\n".join(f"def test_{number}():\n{body}" for number, body in enumerate(tests, 1))
    test = f"{head}from solution import *\n\n\n{bodies}\n"
    # The tests judge once more: what a patch has made of them does not count.
    return Task(
        name=f"bogus/{name}", bug_type=group, module=f"{function}\n", test=test, canonical="", hidden=test
    )


_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
TASKS = tuple(_task(**row) for row in _TABLE["task"])
