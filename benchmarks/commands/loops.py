"""Twelve small programs, each with an endless loop."""

from typing import Any

import click

from benchmarks.broken import HiddenTests, load
from benchmarks.execute import execute
from benchmarks.harness import Repair
from benchmarks.options import RunOptions, repair_options, run_options
from benchmarks.packed import DATA, unpacked
from benchmarks.pins import chosen, weights
from bot.config import sources
from sandbox.snapshot import take

COLLECTION = DATA / "loops.tar.xz"


@click.command()
@repair_options(time_budget=60.0, test_timeout=30.0)
@run_options()
def loops(**options: Any) -> None:  # noqa: ANN401
    """Repair programs whose tests never end; their hidden tests judge."""
    directory = unpacked(COLLECTION, sources.load({}).cache_directory)
    run, repair = RunOptions.split(options)
    execute(
        "loops",
        load(directory, split="dev"),
        Repair(
            options=repair,
            grader=HiddenTests(),
            trajectories=run.trajectory_directory,
            seed=run.selection.seed,
        ),
        options=run,
        inputs={"loops": take(directory).digest, **weights(repair)},
        configuration=chosen(repair),
    )
