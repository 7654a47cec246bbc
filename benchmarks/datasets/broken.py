"""A directory of small broken projects with a manifest, as ``benchmarks/projects`` is: see its README.

Each is repaired by its visible tests; correct is what its hidden tests, too, accept. Of what is held out only
verdicts and figures come back: who works on the engine may read the run.
"""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from benchmarks.runs.runfile import Row
from benchmarks.runs.tasks import Bare, Grade, Task, Trial, Work, guarded
from benchmarks.runs.verify import suite
from bot.config.settings import Settings
from bot.errors import ConfigurationError
from bot.patch.text import decode, encode
from sandbox.snapshot import Snapshot

HELD_OUT = "heldout"
SPLITS = ("dev", HELD_OUT)
# What of a row shows nothing about the project.
FIGURES = (
    *("outcome", "plausible", "correct", "first", "attempts", "seconds", "alternatives", "usage", "stages"),
    *("judging_seconds", "changed_lines", "reference_lines", "same_text", "confidence"),
    *("operator", "doubts", "behaviours", "share"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Project(Bare):
    """A broken project (``tasks.Task``); ``group`` is how many edits a person made to fix it."""

    name: str
    group: str
    directory: Path

    @property
    def reference(self) -> Mapping[str, str]:
        """The fixed files."""
        return {path: decode(data) for path, data in _files(self.directory / "fixed").items()}

    @property
    def hidden(self) -> Mapping[str, bytes]:
        """The hidden tests."""
        return _files(self.directory / "hidden")

    def lay_out(self, directory: Path) -> Path:
        """A copy of the broken project, and of nothing else of it."""
        shutil.copytree(self.directory / "project", directory, symlinks=True)
        return directory


def load(collection: Path, *, split: str) -> list[Project]:
    """The projects of one ``split`` of the manifest in the directory ``collection``.

    Held-out ones go by numbers instead of names.

    Raises:
        ConfigurationError: there is no manifest, or it is none.
    """
    try:
        entries = yaml.safe_load((collection / "manifest.yaml").read_text("utf-8"))
        chosen = [entry for entry in entries if entry["split"] == split]
        return [
            Project(
                name=f"{split}/{number:02d}" if split == HELD_OUT else f"{split}/{entry['name']}",
                group=f"edits: {entry['edits']}",
                directory=collection / entry["name"],
            )
            for number, entry in enumerate(chosen)
        ]
    except (OSError, yaml.YAMLError, KeyError, TypeError) as error:
        raise ConfigurationError(f"no manifest of broken projects in {collection}: {error}") from error


def hidden_tests(task: Task, patched: Mapping[str, str], snapshot: Snapshot, settings: Settings) -> Grade:
    """``tasks.Grader``: correct is what passes the hidden tests together with the visible ones."""
    assert isinstance(task, Project)
    files = {**{path: encode(text) for path, text in patched.items()}, **task.hidden}
    report = suite(settings, snapshot, changes=files)
    detail = {"passed": len(report.passing), "failed": len(report.failing)}
    return Grade(correct=bool(report.passing) and report.proves(frozenset()), detail=detail)


@dataclass(frozen=True, slots=True, kw_only=True)
class FiguresOnly:
    """``work`` with rows that hold verdicts and figures, and nothing of the project or its patch."""

    work: Work

    def __call__(self, trial: Trial) -> Row:
        """See ``tasks.Work``."""
        row = guarded(self.work, trial)
        kept: dict[str, Any] = {name: row[name] for name in FIGURES if name in row}
        return kept


def _files(directory: Path) -> dict[str, bytes]:
    paths = sorted(path for path in directory.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in paths}
