"""The corpus as a file of ids, paths and counts, and the fixes of it as tasks."""

import csv
import random
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import astuple, dataclass, fields
from itertools import zip_longest
from pathlib import Path
from typing import Protocol, TypeVar

from benchmarks.fixes.mine import Fix, clone_of
from benchmarks.libraries.sources import Commit
from benchmarks.runs.tasks import Bare

CORPUS = Path(__file__).with_name("corpus.csv")
NAME = 12  # hexadecimal digits that name a commit


@dataclass(frozen=True, slots=True, kw_only=True)
class Faulty(Bare):
    """The version before a fix, out of a clone below ``clones`` (``tasks.Task``)."""

    fix: Fix
    clones: Path

    @property
    def name(self) -> str:
        """Commit and path; a fix of two files is two tasks."""
        return f"{self.fix.repository}@{self.fix.commit}/{self.fix.path}"

    @property
    def group(self) -> str:
        """The repository."""
        return self.fix.repository

    @property
    def clone(self) -> Path:
        """The git directory of the repository."""
        return clone_of(self.clones, self.fix.repository)

    def lay_out(self, directory: Path) -> Path:
        """A checkout of that version."""
        return Commit(
            repository=self.fix.repository,
            commit=f"{self.fix.commit}^",
            cache=directory.parent / "cache",
            clones=self.clones.absolute(),
        ).lay_out(directory)


def write(path: Path, fixes: Iterable[Fix]) -> None:
    """Write ``fixes`` to ``path``, as CSV."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(field.name for field in fields(Fix))
        writer.writerows((fix.repository, fix.commit[:NAME], *astuple(fix)[2:]) for fix in fixes)


def read(path: Path) -> list[Fix]:
    """The fixes that were written to ``path``."""
    with path.open(encoding="utf-8", newline="") as file:
        return [Fix(row[0], row[1], row[2], int(row[3]), int(row[4])) for row in list(csv.reader(file))[1:]]


def drawn(
    corpus: Path, clones: Path, *, sample: int, seed: int, of: Callable[[str], bool] = bool
) -> list[Faulty]:
    """``sample`` fixes of each repository below ``clones`` that ``of`` takes, one of each in turn."""
    fixes = (Faulty(fix=fix, clones=clones) for fix in read(corpus) if of(fix.repository))
    return in_turn(fixes, sample=sample, seed=seed)


class Cloned(Protocol):
    """A task of a repository that has to be there."""

    @property
    def group(self) -> str:
        """The repository."""
        ...

    @property
    def clone(self) -> Path:
        """Its git directory."""
        ...


T = TypeVar("T", bound=Cloned)


def in_turn(tasks: Iterable[T], *, sample: int, seed: int) -> list[T]:
    """``sample`` of ``tasks`` of each group whose clone is there, one of each in turn."""
    rows = list(tasks)
    random.Random(seed).shuffle(rows)  # noqa: S311 - a draw that can be repeated
    by_group: defaultdict[str, list[T]] = defaultdict(list)
    for task in rows:
        by_group[task.group].append(task)
    turns = zip_longest(*(found[:sample] for found in by_group.values()))
    return [task for turn in turns for task in turn if task is not None and task.clone.is_dir()]
