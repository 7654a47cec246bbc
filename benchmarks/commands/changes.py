"""``python -m benchmarks changes``: commits that brought a fault, and their repair with the base."""

import csv
import json
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import astuple, fields
from itertools import groupby, zip_longest
from pathlib import Path
from statistics import median
from typing import Any

import click

from benchmarks.commands.fixes import CORPUS, NAME, corpus_of
from benchmarks.fixes.mine import date_of
from benchmarks.fixes.origins import Origin, origins
from benchmarks.markdown import table
from benchmarks.options import DIRECTORY, FILE, RunOptions, repair_options
from benchmarks.shares import Share

ORIGINS = CORPUS.with_name("origins.csv")
HEAD = tuple(field.name for field in fields(Origin))
WAYS = ("with base", "without")


@click.group()
def changes() -> None:
    """Find commits that brought a fault, and repair them with and without the version before.

    A clone is a git directory at OWNER+NAME/repo.
    """


@changes.command("mine")
@click.argument("clones", type=DIRECTORY)
@click.option("--corpus", type=FILE, default=CORPUS, help="What 'fixes mine' wrote.")
@click.option("--since", default="2020-01-01", show_default=True, help="Changes of this day or later.")
@click.option("--output", type=click.Path(path_type=Path), default=ORIGINS, help="The changes, as CSV.")
def mine_command(*, clones: Path, corpus: Path, since: str, output: Path) -> None:
    """Write down which commit wrote the lines that a fix removes: ids and counts, no code."""
    found: list[Origin] = []
    for repository, fixes in groupby(corpus_of(corpus), key=lambda fix: fix.repository):
        clone = _clone(clones, repository)
        if clone.is_dir():
            recent = [fix for fix in fixes if date_of(clone, fix.commit) >= since]
            found += [one for one in origins(clone, recent) if date_of(clone, one.origin) >= since]
            click.echo(f"{repository}: {len(found)} in all", err=True)
    with output.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEAD)
        writer.writerows((one.repository, one.origin[:NAME], *astuple(one)[2:]) for one in found)
    click.echo(f"{len(found)} changes of {len({one.repository for one in found})} repositories")


@changes.command("repair")
@click.argument("clones", type=DIRECTORY)
@click.option("--origins", "listed", type=FILE, default=ORIGINS, help="What mine wrote.")
@click.option("--limit", type=click.IntRange(min=1), help="The first N of them only.")
@click.option("--seed", default=1, show_default=True, help="Draws them, one of each repository in turn.")
@click.option("--output", type=click.Path(path_type=Path), required=True, help="JSON lines; goes on there.")
@repair_options(time_budget=120.0, test_timeout=30.0)
def repair_command(
    *,
    clones: Path,
    listed: Path,
    limit: int | None,
    seed: int,
    output: Path,
    **options: Any,  # noqa: ANN401
) -> None:
    """Repair each change with the tests of its fix; the code runs in the sandbox."""
    from benchmarks.fixes.change import repair_change

    _, given = RunOptions.split(options)
    drawn = [one for one in _drawn(listed, seed) if _clone(clones, one.repository).is_dir()][:limit]
    rows = [json.loads(line) for line in output.read_text("utf-8").splitlines()] if output.exists() else []
    done = {(row["origin"], row["fix"]) for row in rows}
    with output.open("a", encoding="utf-8") as file:
        for number, origin in enumerate(drawn, 1):
            if (origin.origin, origin.fix) in done:
                continue
            row = repair_change(origin, clones, given)
            rows.append(row)
            file.write(json.dumps(row) + "\n")
            file.flush()
            ended = "; ".join(f"{way} {row[way]['outcome']}" for way in WAYS if way in row)
            click.echo(f"{number}/{len(drawn)} {origin.repository} {origin.origin}: {ended}", err=True)
    click.echo(_summary(rows))


def _summary(rows: Sequence[dict[str, Any]]) -> str:
    shown = [row for row in rows if row["outcome"] == "shown"]
    lines = []
    for way in WAYS:
        patched = [row[way] for row in shown if row.get(way, {}).get("diff")]
        seconds = f"{median(one['seconds'] for one in patched):.0f}" if patched else "-"
        lines.append((way, str(Share(count=len(patched), total=len(shown))), seconds))
    sizes = [row["with base"]["culprit"] for row in shown if row["with base"].get("culprit")]
    culprit = (
        f"a culprit in {len(sizes)}, of {median(sizes):.0f} lines in the median" if sizes else "no culprit"
    )
    head = ("version before", "verified patch", "seconds, median")
    return (
        f"{table(head, lines)}\n\n{culprit}; {len(rows) - len(shown)} of {len(rows)} could not be shown here"
    )


def _clone(clones: Path, repository: str) -> Path:
    return clones / repository.replace("/", "+") / "repo"


def _drawn(listed: Path, seed: int) -> list[Origin]:
    with listed.open(encoding="utf-8", newline="") as file:
        rows = [Origin(row[0], row[1], row[2], int(row[3])) for row in list(csv.reader(file))[1:]]
    random.Random(seed).shuffle(rows)  # noqa: S311 - a draw that can be repeated
    by_repository: defaultdict[str, list[Origin]] = defaultdict(list)
    for one in rows:
        by_repository[one.repository].append(one)
    return [one for turn in zip_longest(*by_repository.values()) for one in turn if one is not None]
