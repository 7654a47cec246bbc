"""Real libraries and repositories: their environments, their suites inside and outside, faults in them."""

from pathlib import Path
from typing import Any

import click

from benchmarks.libraries import catalogue
from benchmarks.libraries.report import page
from benchmarks.libraries.sources import cache_directory
from benchmarks.libraries.work import Measure
from benchmarks.runs.execute import execute
from benchmarks.runs.options import DIRECTORY, FILE, RunOptions, repair_options, run_options
from benchmarks.runs.pins import chosen, digest
from benchmarks.runs.progress import OutcomeTally


@click.command()
@click.option("--catalogue", "file", type=FILE, default=catalogue.CATALOGUE, help="What is run, as YAML.")
@click.option("--clones", type=DIRECTORY, help="Clones that are there: OWNER+NAME/repo or OWNER/NAME in it.")
@click.option("--group", "groups", multiple=True, help="This group alone, such as library; may be repeated.")
@click.option("--drop-environments", is_flag=True, help="Remove each environment with its item.")
@click.option("--skip-faults", is_flag=True, help="Run the suites alone, and repair nothing.")
@click.option(
    "--unchanged-budget",
    default=60.0,
    show_default=True,
    type=click.FloatRange(min=1),
    help="Seconds for the repair of the project as it is, which must find nothing to change.",
)
@repair_options(time_budget=300.0, test_timeout=30.0)
@run_options()
def libraries(  # noqa: PLR0913 - its options
    *,
    file: Path,
    clones: Path | None,
    groups: tuple[str, ...],
    drop_environments: bool,
    skip_faults: bool,
    unchanged_budget: float,
    **options: Any,  # noqa: ANN401
) -> None:
    """Run the suites of popular libraries inside of the sandbox and outside, and repair a fault in each.

    Outside, their code runs as a plain process with your rights: the libraries of the catalogue are trusted.
    """
    run, repair = RunOptions.split(options)
    found = catalogue.items(file, cache=cache_directory(), clones=clones)
    execute(
        "libraries",
        [item for item in found if not groups or item.group in groups],
        Measure(
            options=repair,
            keep_environments=not drop_environments,
            faults=not skip_faults,
            unchanged_budget=unchanged_budget,
            seed=run.selection.seed,
        ),
        options=run,
        inputs={file.name: digest(file)},
        configuration={
            **chosen(repair),
            "faults": "none" if skip_faults else f"one an item, {unchanged_budget:g} s unchanged",
            "environments": "dropped" if drop_environments else "kept",
        },
        report=page,
        tally=OutcomeTally,
    )
