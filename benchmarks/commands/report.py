"""Reports on runs."""

from pathlib import Path

import click

from benchmarks.libraries.report import page as libraries_page
from benchmarks.reports.comparison import as_markdown
from benchmarks.reports.dashboard import html
from benchmarks.reports.plot import drawn_all, write
from benchmarks.reports.report import BULKY, label, side_by_side, summary
from benchmarks.runs import runfile
from benchmarks.runs.merge import merge_runs
from benchmarks.runs.options import FILE
from benchmarks.speed.report import page as speed_page
from benchmarks.throughput.report import page as throughput_page

# Of a benchmark whose rows are no repairs.
PAGES = {"libraries": libraries_page, "speed": speed_page, "throughput": throughput_page}


@click.command()
@click.argument("runs", nargs=-1, required=True, type=FILE)
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write it there.")
@click.option(
    "--plots",
    "directory",
    type=click.Path(file_okay=False, path_type=Path),
    help="Every plot, as SVG and PNG.",
)
@click.option(
    "--html", "page", type=click.Path(dir_okay=False, path_type=Path), help="A dashboard, one file."
)
@click.option("--figures-only", is_flag=True, help="No text of a task or a patch in the dashboard.")
def report(
    *,
    runs: tuple[Path, ...],
    output: Path | None,
    directory: Path | None,
    page: Path | None,
    figures_only: bool,
) -> None:
    """Tables of RUNS, side by side when there are several; the first is what the others are held against."""
    read = {path: runfile.read(path, without=BULKY) for path in runs}
    paths = {f"{label(run)} ({path.stem})": path for path, run in read.items()}
    named = dict(zip(paths, read.values(), strict=True))
    parts = [side_by_side(named)] if len(read) > 1 else []
    for name, run in named.items():
        tables = PAGES.get(run.header["benchmark"], summary)(run)
        parts.append(f"## {name}\n\n{tables}" if len(read) > 1 else tables)
    text = "\n\n".join(parts)
    click.echo(text)
    if output:
        output.write_text(text, "utf-8")
    if directory:
        for form in ("svg", "png"):
            write(drawn_all(named, form=form), directory, form=form)
    if page:
        whole = named if figures_only else {name: runfile.read(path) for name, path in paths.items()}
        shown = html(
            whole,
            trajectories={name: path.with_suffix(".trajectories") for name, path in paths.items()},
            pictures=drawn_all(named, form="svg"),
            figures_only=figures_only,
        )
        page.write_text(shown, "utf-8", errors="replace")


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
    click.echo(f"{output}: {merge_runs(parts, output)} rows")
