"""QuixBugs."""

from pathlib import Path
from typing import Any

import click

from benchmarks.execute import execute
from benchmarks.harness import Repair
from benchmarks.options import DIRECTORY, RunOptions, repair_options, run_options
from benchmarks.pins import chosen, weights
from benchmarks.quixbugs import CALLS, FIXED, PROGRAMS, TESTS, load
from sandbox.snapshot import take


@click.command()
@click.argument("checkout", type=DIRECTORY)
@repair_options(time_budget=60.0, test_timeout=5.0)
@run_options()
def quixbugs(*, checkout: Path, **options: Any) -> None:  # noqa: ANN401
    """Repair the Python programs of a CHECKOUT of QuixBugs; their tests are given, and judge."""
    run, repair = RunOptions.split(options)
    programs = load(checkout.absolute())
    parts = (checkout / part for part in (PROGRAMS, FIXED, TESTS, CALLS))
    execute(
        "quixbugs",
        programs,
        Repair(options=repair, trajectories=run.trajectory_directory, seed=run.selection.seed),
        options=run,
        inputs={**{part.name: take(part).digest for part in parts if part.is_dir()}, **weights(repair)},
        configuration=chosen(repair),
    )
