"""HumanEvalFix (Muennighoff et al., "OctoPack", 2023), Python: each task laid out as a small project.

The dataset is read from a path; none of its text is part of this repository.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

MODULE = "solution.py"
TEST = "test_solution.py"


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One task (``harness.Task``); ``canonical`` is the repaired module, shown to nothing that repairs."""

    name: str
    bug_type: str
    module: str
    test: str
    canonical: str

    @property
    def group(self) -> str:
        """The bug type."""
        return self.bug_type

    @property
    def reference(self) -> Mapping[str, str]:
        """The canonical module, by its path."""
        return {MODULE: self.canonical}

    def lay_out(self, folder: Path) -> Path:
        """Write the task as a project: a module and a pytest file."""
        folder.mkdir(parents=True)
        (folder / MODULE).write_text(self.module, "utf-8")
        (folder / TEST).write_text(self.test, "utf-8")
        return folder


def load(path: Path) -> Iterator[Task]:
    """The tasks of the JSONL file at ``path``, in its order.

    Raises:
        OSError: it cannot be read.
        KeyError: a line is not a HumanEvalFix task.
    """
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield _task(json.loads(line))


def _task(row: dict[str, str]) -> Task:
    head = f"{row['import']}\n{row['declaration']}"
    return Task(
        name=row["task_id"],
        bug_type=row["bug_type"],
        module=head + row["buggy_solution"],
        test=_pytest_file(row["test_setup"], row["test"], row["entry_point"]),
        canonical=head + row["canonical_solution"],
    )


def _pytest_file(setup: str, test: str, entry_point: str) -> str:
    """The task's ``check`` as a pytest test, in place of the call at the module's end."""
    tree = ast.parse(test)
    calls = [node for node in tree.body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)]
    lines = test.split("\n")
    for call in calls:
        for number in range(call.lineno, (call.end_lineno or call.lineno) + 1):
            lines[number - 1] = ""
    body = "\n".join(lines).strip("\n")
    run = f"def test_{entry_point}():\n    check({entry_point})\n"
    return f"from solution import *\n{setup}\n\n{body}\n\n\n{run}"
