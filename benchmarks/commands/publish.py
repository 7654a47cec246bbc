"""A run as a directory that can be put on the web, and what it is against the run before."""

import json
from collections.abc import Mapping
from pathlib import Path

import click

from benchmarks.reports.comparison import as_markdown, compare
from benchmarks.reports.dashboard import html
from benchmarks.reports.plot import drawn_all, write
from benchmarks.reports.report import BULKY, label, summary
from benchmarks.reports.shares import Share
from benchmarks.runs import runfile
from benchmarks.runs.options import FILE
from benchmarks.runs.runfile import Run

# Beyond noise is what chance alone would give less often than this.
NOISE = 0.05
# What may differ between runs that are alike: the machines' number and patience, not what is measured.
INCIDENTAL = frozenset({"parallel", "workers"})
COLOURS = ((0.8, "brightgreen"), (0.6, "green"), (0.4, "yellow"), (0.0, "orange"))


@click.command()
@click.argument("run", type=FILE)
@click.option(
    "--before",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The run.jsonl that was published before; it need not be there.",
)
@click.option("--output", required=True, type=click.Path(file_okay=False, path_type=Path))
def publish(*, run: Path, before: Path, output: Path) -> None:
    """Write RUN to the directory OUTPUT: index.html, report.md, plots, badge.json, change.md, run.jsonl.

    Where pass@1 fell beyond noise since the run before, there is regression.md as well. Of tasks and patches
    no text is in it.
    """
    read = runfile.read(run, without=BULKY)
    last = runfile.read(before) if before.exists() else None
    named = {label(read): read}
    plots = drawn_all(named, form="svg")
    write(plots, output, form="svg")
    page = html(named, trajectories={}, pictures=plots, figures_only=True)
    (output / "index.html").write_text(page, "utf-8", errors="replace")
    (output / "report.md").write_text(summary(read), "utf-8")
    (output / "badge.json").write_text(json.dumps(badge(read)) + "\n", "utf-8")
    (output / "run.jsonl").write_bytes(b"".join(map(runfile.line, (read.header, *read.rows))))
    text = change(last, read)
    (output / "change.md").write_text(text, "utf-8")
    (output / "regression.md").unlink(missing_ok=True)
    if last and regressed(last, read):
        (output / "regression.md").write_text(text, "utf-8")
    click.echo(text, nl=False)


def change(last: Run | None, new: Run) -> str:
    """What became of the tasks since the run before, for a summary and for an issue."""
    if last is None or not alike(last, new):
        return "There is no run before that measured the same.\n"
    return as_markdown(last, new, [str(run.header["started"])[:10] for run in (last, new)])


def alike(last: Run, new: Run) -> bool:
    """Whether both measured the same on the same inputs."""

    def measured(run: Run) -> tuple[object, ...]:
        chosen = {k: v for k, v in run.header["configuration"].items() if k not in INCIDENTAL}
        return run.header["benchmark"], run.header["inputs"], chosen

    return measured(last) == measured(new)


def regressed(last: Run, new: Run) -> bool:
    """Whether pass@1 fell beyond noise."""
    found = compare(last, new, "plausible")
    return alike(last, new) and len(found.lost) > len(found.gained) and found.p < NOISE


def badge(run: Run) -> Mapping[str, object]:
    """The figure as shields.io's endpoint takes it."""
    share = Share.of(run.rows, "plausible")
    return {
        "schemaVersion": 1,
        "label": f"{run.header['benchmark']} pass@1",
        "message": f"{share.value:.1%}",
        "color": next(colour for least, colour in COLOURS if share.value >= least),
    }
