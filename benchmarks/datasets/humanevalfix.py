"""HumanEvalFix (Muennighoff et al., "OctoPack", 2023), Python: each task laid out as a small project.

None of the dataset's text is part of this repository.
"""

import ast
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from benchmarks.datasets.records import records
from bot.errors import ConfigurationError

MODULE = "solution.py"
TEST = "test_solution.py"
FIELDS = (
    *("task_id", "prompt", "import", "declaration", "buggy_solution", "canonical_solution", "bug_type"),
    *("test_setup", "test", "example_test", "entry_point"),
)


class Protocol(StrEnum):
    """What the repair is given besides the broken function. Who reports a figure has to say which."""

    TESTS = "tests"  # the tests that judge
    TESTS_AND_DOCS = "tests+docs"  # these, and the docstring
    WITHHELD = "withheld"  # the docstring, and its examples as tests; the tests that judge are not shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One task (``tasks.Task``); ``canonical`` is the repaired module, shown to nothing that repairs.

    ``hidden`` is the test file that judges where ``test``, which the repair is given, is not that.
    """

    name: str
    bug_type: str
    module: str
    test: str
    canonical: str
    hidden: str = ""

    @property
    def group(self) -> str:
        """The bug type."""
        return self.bug_type

    @property
    def reference(self) -> Mapping[str, str]:
        """The canonical module, by its path; nothing where there is none."""
        return {MODULE: self.canonical} if self.canonical else {}

    @property
    def judging(self) -> Mapping[str, str]:
        """The tests that the repair was not given."""
        return {TEST: self.hidden} if self.hidden else {}

    def lay_out(self, directory: Path) -> Path:
        """Write the task as a project: a module and a pytest file."""
        directory.mkdir(parents=True)
        (directory / MODULE).write_text(self.module, "utf-8")
        (directory / TEST).write_text(self.test, "utf-8")
        return directory


def load(path: Path, *, protocol: Protocol = Protocol.TESTS) -> Iterator[Task]:
    """The tasks of the JSONL or Parquet file at ``path``, in its order.

    Raises:
        OSError: it cannot be read.
        ConfigurationError: it is no such file, or one of its rows is no HumanEvalFix task.
    """
    for number, row in enumerate(records(path), 1):
        missing = sorted(name for name in FIELDS if not isinstance(row.get(name), str))
        if missing:
            raise ConfigurationError(
                f"{path}, row {number}: no HumanEvalFix task, it lacks {', '.join(missing)}"
            )
        yield _task(row, protocol)


def _task(row: Mapping[str, str], protocol: Protocol) -> Task:
    documented = protocol is not Protocol.TESTS
    head = row["prompt"] if documented else f"{row['import']}\n{row['declaration']}"
    test = _pytest_file(row["test_setup"], row["test"], row["entry_point"])
    withheld = protocol is Protocol.WITHHELD
    examples = _pytest_file(row["test_setup"], row["example_test"], row["entry_point"]) if withheld else ""
    return Task(
        name=row["task_id"],
        bug_type=row["bug_type"],
        module=head + row["buggy_solution"],
        test=examples if withheld else test,
        canonical=head + row["canonical_solution"],
        hidden=test if withheld else "",
    )


def _pytest_file(setup: str, test: str, entry_point: str) -> str:
    """The task's ``check`` as a pytest test, in place of the call at the module's end.

    Without a ``check`` that can be read it is a file without a test: some examples are so.
    """
    found = _parsed(test)
    if found is None:
        return "from solution import *\n"
    text, tree = found
    calls = [node for node in tree.body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)]
    lines = text.split("\n")
    for call in calls:
        for number in range(call.lineno, (call.end_lineno or call.lineno) + 1):
            lines[number - 1] = ""
    body = "\n".join(lines).strip("\n")
    run = f"def test_{entry_point}():\n    check({entry_point})\n"
    return f"from solution import *\n{setup}\n\n{body}\n\n\n{run}"


def _parsed(test: str) -> tuple[str, ast.Module] | None:
    """``test`` as it can be parsed, its indentation taken away where that helps; None without a ``check``."""
    for text in (test, textwrap.dedent(test), test.lstrip()):
        try:
            tree = ast.parse(text)
        except SyntaxError:
            continue
        if any(isinstance(node, ast.FunctionDef) and node.name == "check" for node in tree.body):
            return text, tree
    return None
