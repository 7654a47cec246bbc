"""Reports on runs."""

from __future__ import annotations

from pathlib import Path

import click

from benchmarks import runfile
from benchmarks.comparison import as_markdown
from benchmarks.merge import merge as merged
from benchmarks.options import FILE
from benchmarks.plot import plot
from benchmarks.report import BULKY, label, side_by_side, summary


@click.command()
@click.argument("runs", nargs=-1, required=True, type=FILE)
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write it there.")
@click.option("--plot", "picture", type=click.Path(dir_okay=False, path_type=Path), help="Draw it there.")
def report(*, runs: tuple[Path, ...], output: Path | None, picture: Path | None) -> None:
    """Tables of RUNS, side by side when there are several; the first is what the others are held against."""
    read = {path: runfile.read(path, without=BULKY) for path in runs}
    named = {f"{label(run)} ({path.stem})": run for path, run in read.items()}
    parts = [side_by_side(named)] if len(read) > 1 else []
    parts += [
        f"## {name}\n\n{summary(run)}" if len(read) > 1 else summary(run) for name, run in named.items()
    ]
    text = "\n\n".join(parts)
    click.echo(text)
    if output:
        output.write_text(text, "utf-8")
    if picture:
        plot(named, picture)


@click.command()
@click.argument("before", type=FILE)
@click.argument("after", type=FILE)
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write it there, too.")
def compare(*, before: Path, after: Path, output: Path | None) -> None:
    """What changed from the run BEFORE to the run AFTER, task by task, and whether it may be chance."""
    paths = (before, after)
    first, second = (runfile.read(path, without=BULKY) for path in paths)
    names = [f"{label(run)} ({path.stem})" for run, path in zip((first, second), paths, strict=True)]
    text = as_markdown(first, second, names)
    click.echo(text, nl=False)
    if output:
        output.write_text(text, "utf-8")


@click.command()
@click.argument("parts", nargs=-1, required=True, type=FILE)
@click.option("--output", required=True, type=click.Path(dir_okay=False, path_type=Path))
def merge(*, parts: tuple[Path, ...], output: Path) -> None:
    """Put the PARTS of a run together that --shard divided: what one run would have written."""
    click.echo(f"{output}: {merged(parts, output)} rows")
