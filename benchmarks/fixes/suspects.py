"""Real regressions in histories: what a small fix repairs, and the commit that may have broken it.

That is the newest one which wrote a line that the fix changes, as git blames it (the first step of Sliwerski,
Zimmermann and Zeller, "When do changes induce fixes?", MSR 2005), where the fix says that something worked
before. Only a run of the fix's tests before and after that commit shows whether it broke anything.
"""

import csv
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from unidiff.patch import PatchSet

from benchmarks.fixes.corpus import NAME, in_turn
from benchmarks.fixes.mine import Fix, clone_of, versions
from benchmarks.libraries.sources import Commit
from benchmarks.runs.tasks import Bare
from benchmarks.runs.tools import git
from bot.errors import MachineError

MAX_CHANGED = 3_000
"""Lines of Python that a suspected commit changes."""
SUSPECTS = Path(__file__).with_name("suspects.csv")
"""Of the newest 600 small fixes of each repository (``fixes mine --most 600``)."""

_WORKED_BEFORE = re.compile(
    r"\b(?:regress\w*|broke|broken (?:by|in|since)|since (?:v|version )?\d|introduced (?:in|by)|no longer"
    r"|used to|again|restor\w+|revert\w*)\b",
    re.IGNORECASE,
)
_BLAMED = re.compile(r"^([0-9a-f]{40}) (\d+) \d+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Suspect:
    """A commit that may have broken what a fix repairs.

    Attributes:
        repository: ``OWNER/NAME``.
        commit: the suspected one; its only parent is the version before.
        fix: the commit that repairs it.
        path: the changed file, of the same name in both.
        first: the first line of it that the suspected commit wrote and the fix changes.
        last: the last one.
    """

    repository: str
    commit: str
    fix: str
    path: str
    first: int
    last: int


def suspect(clone: Path, fix: Fix) -> Suspect | None:
    """The commit that may have broken what ``fix`` repairs; None where it is a merge, or large.

    None as well where the fix's message does not say that something worked before.

    Raises:
        MachineError: git cannot read the history.
    """
    known = versions(clone, fix)
    message = git("--git-dir", clone, "show", "--no-patch", "--format=%B", fix.commit)
    if known is None or not _WORKED_BEFORE.search(message):
        return None
    diff = git(
        "--git-dir", clone, "diff", "-U0", "--no-renames", f"{fix.commit}^", fix.commit, "--", fix.path
    )
    last_line = known[0].count("\n")
    ranges = []
    for hunk in (hunk for file in PatchSet(diff) for hunk in file):
        # Of lines that are only added, those on both sides are asked about.
        length = hunk.source_length or 2
        ranges.append((max(1, hunk.source_start), min(last_line, hunk.source_start + length - 1)))
    asked = [part for first, last in ranges if first <= last for part in ("-L", f"{first},{last}")]
    if not asked:
        return None
    blamed = git("--git-dir", clone, "blame", "--porcelain", *asked, f"{fix.commit}^", "--", fix.path)
    lines: defaultdict[str, list[int]] = defaultdict(list)
    for commit, line in _BLAMED.findall(blamed):
        lines[commit].append(int(line))
    newest = git("--git-dir", clone, "rev-list", "--topo-order", "--max-count=1", *lines).strip()
    if not _is_small(clone, newest, fix.path):
        return None
    first, last = min(lines[newest]), max(lines[newest])
    return Suspect(fix.repository, newest[:NAME], fix.commit[:NAME], fix.path, first, last)


def _is_small(clone: Path, commit: str, path: str) -> bool:
    """Whether ``commit`` has one parent, which has ``path`` as well, and changes few lines of Python."""
    if len(git("--git-dir", clone, "rev-list", "--parents", "--max-count=1", commit).split()) != 2:
        return False
    try:
        git("--git-dir", clone, "cat-file", "-e", f"{commit}^:{path}")
        git("--git-dir", clone, "cat-file", "-e", f"{commit}:{path}")
    except MachineError:
        return False
    numbers = git("--git-dir", clone, "diff", "--numstat", "--no-renames", f"{commit}^", commit, "--", "*.py")
    counts = (one for line in numbers.splitlines() for one in line.split()[:2])
    return sum(int(one) for one in counts if one.isdigit()) <= MAX_CHANGED


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken(Bare):
    """The version that a suspected commit made, out of a clone below ``clones`` (``tasks.Task``)."""

    suspect: Suspect
    clones: Path

    @property
    def name(self) -> str:
        """The commit, and the fix."""
        return f"{self.suspect.repository}@{self.suspect.commit}/{self.suspect.fix}"

    @property
    def group(self) -> str:
        """The repository."""
        return self.suspect.repository

    @property
    def clone(self) -> Path:
        """The git directory of the repository."""
        return clone_of(self.clones, self.suspect.repository)

    def lay_out(self, directory: Path) -> Path:
        """A checkout of that version."""
        return self._checkout(self.suspect.commit, directory)

    def lay_out_base(self, directory: Path) -> Path:
        """A checkout of the version before."""
        return self._checkout(f"{self.suspect.commit}^", directory)

    def _checkout(self, commit: str, directory: Path) -> Path:
        cache, clones = directory.parent / "cache", self.clones.absolute()
        checkout = Commit(repository=self.suspect.repository, commit=commit, cache=cache, clones=clones)
        return checkout.lay_out(directory)


def write(path: Path, suspects: Iterable[Suspect]) -> None:
    """Write ``suspects`` to ``path``, as CSV."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(field.name for field in fields(Suspect))
        writer.writerows(map(astuple, suspects))


def drawn(path: Path, clones: Path, *, sample: int, seed: int) -> list[Broken]:
    """``sample`` suspects of each repository that is below ``clones``, one of each in turn."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    known = [Suspect(row[0], row[1], row[2], row[3], int(row[4]), int(row[5])) for row in rows]
    return in_turn((Broken(suspect=one, clones=clones) for one in known), sample=sample, seed=seed)
