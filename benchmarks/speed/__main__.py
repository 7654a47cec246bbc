"""``python -m benchmarks.speed``: measure, print the tables, and write the figures down."""

import sys
from pathlib import Path
from typing import Any

import click

from benchmarks.datasets.humanevalfix import load
from benchmarks.runs.execute import execute
from benchmarks.runs.options import FILE, RunOptions
from benchmarks.runs.pins import digest
from benchmarks.runs.progress import OutcomeTally
from benchmarks.speed.report import page
from benchmarks.speed.work import Measure
from sandbox.providers import KINDS

LOCAL = [kind.name for kind in KINDS.values() if not kind.from_image]


@click.command(context_settings={"show_default": True})
@click.option("--dataset", required=True, type=FILE, help="HumanEvalFix, Python, as a JSONL file.")
@click.option("--tasks", default=12, type=click.IntRange(min=1), help="Tasks, spread over the dataset.")
@click.option("--candidates", default=60, type=click.IntRange(min=2), help="Candidates a task.")
@click.option("--python", default=sys.executable, help="An interpreter of this machine that has pytest.")
@click.option("--sandbox", default="bubblewrap", type=click.Choice(LOCAL))
@click.option("--workers", default=2, type=click.IntRange(min=2), help="Workers in the row with several.")
@click.option("--docker-image", default="", help="An image with Python: adds the rows that need Docker.")
@click.option(
    "--rounds", default=2, type=click.IntRange(min=1), help="Sandboxes of each kind to open a task."
)
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="The run's file, JSON lines.")
@click.option("--resume", is_flag=True, help="Go on with the run in --output.")
def main(*, dataset: Path, tasks: int, output: Path | None, resume: bool, **options: Any) -> None:  # noqa: ANN401
    """Measure verdicts a second against other ways to get them, and what a sandbox costs to open.

    All ways judge the same candidates in one run. Those that take long are measured on a sample of them.
    """
    everything = list(load(dataset))
    execute(
        "speed",
        everything[:: max(1, len(everything) // tasks)][:tasks],
        Measure(**options),
        options=RunOptions(output=output, resume=resume),
        inputs={dataset.name: digest(dataset)},
        configuration=options,
        report=page,
        tally=OutcomeTally,
    )


if __name__ == "__main__":
    main()
