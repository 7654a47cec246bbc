"""``python -m benchmarks fixes``: a corpus of real fixes, and what the engine can express of it."""

import csv
import json
import random
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, fields
from itertools import zip_longest
from pathlib import Path
from typing import Any

import click

from benchmarks.fixes.express import MAX_NODES, express
from benchmarks.fixes.mine import Fix, clone_of, date_of, mine, versions
from benchmarks.reports.markdown import table
from benchmarks.reports.shares import Share
from benchmarks.runs.options import DIRECTORY, FILE, RunOptions, repair_options
from bot.errors import ConfigurationError

CORPUS = Path(__file__).parent.parent / "fixes" / "corpus.csv"
HEAD = tuple(field.name for field in fields(Fix))
NAME = 12  # hexadecimal digits that name a commit
_KINDS = 25


@click.group()
def fixes() -> None:
    """Mine real fixes from public histories, and see which of them the engine can express.

    Nothing of a repository is run. A clone is a git directory at OWNER+NAME/repo.
    """


@fixes.command("mine")
@click.argument("clones", type=DIRECTORY)
@click.option("--output", type=click.Path(path_type=Path), default=CORPUS, help="The corpus, as CSV.")
@click.option("--most", default=80, show_default=True, help="Fixes of one repository, the newest ones.")
def mine_command(*, clones: Path, output: Path, most: int) -> None:
    """Write down the small fixes of all CLONES: ids, paths and counts, no code."""
    rows: list[Fix] = []
    for clone in sorted(clones.glob("*+*/repo")):
        repository = clone.parent.name.replace("+", "/")
        try:
            found = list(mine(clone, repository))[:most]
        except ConfigurationError as error:
            click.echo(f"{repository}: {error}", err=True)
            continue
        click.echo(f"{repository}: {len(found)}", err=True)
        rows += found
    with output.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEAD)
        writer.writerows((fix.repository, fix.commit[:NAME], *astuple(fix)[2:]) for fix in rows)
    commits = len({fix.commit for fix in rows})
    click.echo(
        f"{commits} commits of {len({fix.repository for fix in rows})} repositories, {len(rows)} files"
    )


@fixes.command("express")
@click.argument("clones", type=DIRECTORY)
@click.option("--corpus", type=FILE, default=CORPUS, help="What mine wrote.")
@click.option("--sample", default=20, show_default=True, help="Fixes of each repository.")
@click.option("--seed", default=1, show_default=True, help="Draws them.")
@click.option("--output", type=click.Path(path_type=Path), required=True, help="JSON lines; goes on there.")
def express_command(*, clones: Path, corpus: Path, sample: int, seed: int, output: Path) -> None:
    """Look for each fix among the candidates for the function that it changes."""
    done = {(row["commit"], row["path"]) for row in _rows(output)} if output.exists() else set()
    drawn = _drawn(corpus, sample, seed)
    with output.open("a", encoding="utf-8") as file:
        for number, fix in enumerate(drawn, 1):
            clone = clone_of(clones, fix.repository)
            if (fix.commit, fix.path) in done or not clone.is_dir():
                continue
            row: dict[str, Any] = {"repository": fix.repository, "commit": fix.commit, "path": fix.path}
            both = versions(clone, fix)
            found = express(fix.path, *both) if both else None
            if found is not None:
                row |= {"kind": found.kind, "size": found.size, "rank": found.rank, "origin": found.origin}
                row |= {"made": Counter(found.drawn)}
            file.write(json.dumps(row) + "\n")
            file.flush()
            if sys.stderr.isatty():
                click.echo(f"\r{number}/{len(drawn)}", nl=False, err=True)


@fixes.command("report")
@click.argument("lines", type=FILE)
def report_command(*, lines: Path) -> None:
    """Say what share of the fixes in LINES can be expressed, by kind, and how early."""
    looked = [row for row in _rows(lines) if "kind" in row]
    if not looked:
        raise ConfigurationError(f"{lines} has no fix that was looked for: run 'fixes express' first")
    small = [one for one in looked if one["size"] <= MAX_NODES]
    found = [one for one in looked if one["rank"]]
    click.echo(f"expressed: {Share(count=len(found), total=len(looked))}")
    click.echo(f"of those of at most {MAX_NODES} nodes: {Share(count=len(found), total=len(small))}\n")
    click.echo(_by_kind(small))
    click.echo(f"\n{_by_origin(looked)}\n")
    if found:
        click.echo(f"median place of these fixes: {statistics.median(one['rank'] for one in found):.0f}")


@fixes.command("repair")
@click.argument("clones", type=DIRECTORY)
@click.option("--corpus", type=FILE, default=CORPUS, help="What mine wrote.")
@click.option("--expressed", type=FILE, help="Only the fixes that express found, out of its lines.")
@click.option("--sample", default=20, show_default=True, help="Fixes of each repository.")
@click.option("--since", default="2020-01-01", show_default=True, help="Of this day or later.")
@click.option("--limit", type=click.IntRange(min=1), help="The first N of them only.")
@click.option("--seed", default=1, show_default=True, help="Draws them.")
@click.option("--output", type=click.Path(path_type=Path), required=True, help="JSON lines; goes on there.")
@repair_options(time_budget=300.0, test_timeout=30.0)
def repair_command(  # noqa: PLR0913 - its options
    *,
    clones: Path,
    corpus: Path,
    expressed: Path | None,
    sample: int,
    since: str,
    limit: int | None,
    seed: int,
    output: Path,
    **options: Any,  # noqa: ANN401
) -> None:
    """Repair the version before each fix, with the tests of the fix; the code runs in the sandbox."""
    from benchmarks.fixes.repair import repair

    _, given = RunOptions.split(options)

    wanted = (
        {(row["commit"], row["path"]) for row in _rows(expressed) if row.get("rank")} if expressed else None
    )
    alone = Counter(fix.commit for fix in _drawn(corpus, sys.maxsize, seed))
    drawn = [fix for fix in _drawn(corpus, sample, seed) if alone[fix.commit] == 1]
    drawn = [fix for fix in drawn if wanted is None or (fix.commit, fix.path) in wanted]
    drawn = [fix for fix in drawn if date_of(clone_of(clones, fix.repository), fix.commit) >= since][:limit]
    done = {row["commit"] for row in _rows(output)} if output.exists() else set()
    with output.open("a", encoding="utf-8") as file:
        for number, fix in enumerate(drawn, 1):
            if fix.commit in done:
                continue
            row = repair(fix, clones, given)
            file.write(json.dumps(row) + "\n")
            file.flush()
            click.echo(f"{number}/{len(drawn)} {fix.repository} {fix.commit}: {row['outcome']}", err=True)
    rows = list(_rows(output))
    shown = [row for row in rows if row["outcome"] != "not shown"]
    for title, outcomes in (("plausible", {"same", "plausible"}), ("the fix itself", {"same"})):
        count = sum(row["outcome"] in outcomes for row in shown)
        click.echo(f"{title}: {Share(count=count, total=len(shown))}")
    click.echo(f"{len(rows) - len(shown)} of {len(rows)} could not be shown here")


def _corpus_of(path: Path) -> list[Fix]:
    """The fixes that ``mine`` wrote to ``path``."""
    with path.open(encoding="utf-8", newline="") as file:
        return [Fix(row[0], row[1], row[2], int(row[3]), int(row[4])) for row in list(csv.reader(file))[1:]]


def _drawn(corpus: Path, sample: int, seed: int) -> list[Fix]:
    """``sample`` fixes of each repository, one of each in turn."""
    rows = _corpus_of(corpus)
    random.Random(seed).shuffle(rows)  # noqa: S311 - a draw that can be repeated
    by_repository: defaultdict[str, list[Fix]] = defaultdict(list)
    for fix in rows:
        by_repository[fix.repository].append(fix)
    turns = zip_longest(*(found[:sample] for found in by_repository.values()))
    return [fix for turn in turns for fix in turn if fix is not None]


def _rows(path: Path) -> Iterator[Mapping[str, Any]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def _by_kind(looked: Sequence[Mapping[str, Any]]) -> str:
    count = Counter(one["kind"] for one in looked)
    found = Counter(one["kind"] for one in looked if one["rank"])
    head = ("what differs", "fixes", "expressed")
    return table(head, [(kind, total, found[kind]) for kind, total in count.most_common(_KINDS)])


def _by_origin(looked: Sequence[Mapping[str, Any]]) -> str:
    made: Counter[str] = Counter()
    for one in looked:
        made.update(one["made"])
    found = Counter(one["origin"] for one in looked if one["rank"])
    head = ("operator", "fixes", "candidates")
    names = sorted(made, key=lambda name: (-found[name], -made[name]))
    return table(head, [(name, found[name], made[name]) for name in names])
