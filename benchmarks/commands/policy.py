"""``python -m benchmarks policy``: what share of real fixes the policy refuses, and shows to a person."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from benchmarks.fixes.corpus import CORPUS, read
from benchmarks.fixes.mine import clone_of
from benchmarks.reports.markdown import table
from benchmarks.reports.shares import Share
from benchmarks.runs.options import DIRECTORY, FILE
from benchmarks.runs.tools import git
from bot.errors import ConfigurationError, MachineError
from bot.patch.apply import from_sources
from bot.patch.policy.gate import Judgement, Policy, judge

_REASONS = 20
_PLACE = re.compile(r"^\S+: ")


@click.command("policy")
@click.argument("clones", type=DIRECTORY)
@click.option("--corpus", type=FILE, default=CORPUS, help="Ids of fixes, as 'fixes mine' writes them.")
@click.option("--every", default=1, show_default=True, help="Judge every so many commits only.")
def policy(*, clones: Path, corpus: Path, every: int) -> None:
    """Judge each commit of the corpus as one patch; what it changes of the tests is left out.

    Nothing of a repository is run. A clone is a git directory at OWNER+NAME/repo.
    """
    count: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    commits: dict[tuple[str, str], list[str]] = {}
    for fix in read(corpus):
        commits.setdefault((fix.repository, fix.commit), []).append(fix.path)
    for (repository, commit), paths in list(commits.items())[::every]:
        clone = clone_of(clones, repository)
        found = _judged(clone, commit, paths) if clone.is_dir() else None
        if found is None:
            continue
        kind = "refused" if found.refused else "shown" if found.shown else "allowed"
        count[kind] += 1
        reasons.update({f"{kind}: {_PLACE.sub('', why)}" for why in found.refused or found.shown})
    if not count:
        raise ConfigurationError(f"no commit of {corpus} is below {clones}")
    total = sum(count.values())
    for kind in ("allowed", "shown", "refused"):
        click.echo(f"{kind}: {Share(count=count[kind], total=total)}")
    click.echo(f"\n{table(('reason', 'fixes'), reasons.most_common(_REASONS))}")


def _judged(clone: Path, commit: str, paths: list[str]) -> Judgement | None:
    """What the policy says of a commit's code; None where a file is missing or protected."""
    try:
        sources = _Sources(clone, f"{commit}^")
        after = {path: git("--git-dir", clone, "cat-file", "blob", f"{commit}:{path}") for path in paths}
        before = {path: sources[path] for path in paths}
    except (MachineError, KeyError):
        return None
    if not all(map(Policy().may_change, paths)):
        return None
    return judge(from_sources(before, after), sources, Policy())


class _Sources(Mapping[str, str]):
    """The Python files of a commit, each read when it is asked for."""

    def __init__(self, clone: Path, commit: str) -> None:
        self._clone = clone
        self._read: dict[str, str] = {}
        rows = (row.partition("\t") for row in git("--git-dir", clone, "ls-tree", "-r", commit).splitlines())
        self._names = {path: row.split()[2] for row, _, path in rows if path.endswith(".py")}

    def __getitem__(self, path: str) -> str:
        if path not in self._read:
            self._read[path] = git("--git-dir", self._clone, "cat-file", "blob", self._names[path])
        return self._read[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
