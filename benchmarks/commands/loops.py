"""Twelve small programs, each with an endless loop."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from benchmarks.broken import HiddenTests, load
from benchmarks.execute import execute
from benchmarks.harness import Repair
from benchmarks.options import RunOptions, repair_options, run_options
from benchmarks.pins import chosen, weights
from sandbox.snapshot import take

COLLECTION = Path(__file__).parents[1] / "loops"


@click.command()
@repair_options(time_budget=60.0, test_timeout=30.0)
@run_options()
def loops(**options: Any) -> None:  # noqa: ANN401
    """Repair programs whose tests never end; their hidden tests judge."""
    run, repair = RunOptions.split(options)
    execute(
        "loops",
        load(COLLECTION, split="dev"),
        Repair(
            options=repair,
            grader=HiddenTests(),
            trajectories=run.trajectory_directory,
            seed=run.selection.seed,
        ),
        options=run,
        inputs={COLLECTION.name: take(COLLECTION).digest, **weights(repair)},
        configuration=chosen(repair),
    )
