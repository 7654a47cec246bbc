"""QuixBugs."""

from pathlib import Path
from typing import Any

import click

from benchmarks.commands.repairs import repair_all
from benchmarks.options import DIRECTORY, repair_options, run_options
from benchmarks.quixbugs import CALLS, FIXED, PROGRAMS, TESTS, load
from sandbox.snapshot import take


@click.command()
@click.argument("checkout", type=DIRECTORY)
@repair_options(time_budget=60.0, test_timeout=5.0)
@run_options()
def quixbugs(*, checkout: Path, **options: Any) -> None:  # noqa: ANN401
    """Repair the Python programs of a CHECKOUT of QuixBugs; their tests are given, and judge."""
    programs = load(checkout.absolute())
    parts = (checkout / part for part in (PROGRAMS, FIXED, TESTS, CALLS))
    inputs = {part.name: take(part).digest for part in parts if part.is_dir()}
    repair_all("quixbugs", programs, options, inputs=inputs)
