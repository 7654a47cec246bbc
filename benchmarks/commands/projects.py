"""Small broken projects of a directory with a manifest."""

from pathlib import Path
from typing import Any

import click

from benchmarks.broken import HELD_OUT, SPLITS, FiguresOnly, HiddenTests, load
from benchmarks.execute import execute
from benchmarks.harness import Repair
from benchmarks.options import RunOptions, repair_options, run_options
from benchmarks.packed import DATA, unpacked
from benchmarks.pins import chosen, weights
from bot.config import sources
from sandbox.snapshot import take

COLLECTION = DATA / "projects.tar.xz"


@click.command()
@click.argument("collection", type=click.Path(exists=True, path_type=Path), default=COLLECTION)
@click.option("--split", type=click.Choice(SPLITS), default=SPLITS[0], show_default=True)
@repair_options(time_budget=60.0, test_timeout=10.0)
@run_options()
def projects(*, collection: Path, split: str, **options: Any) -> None:  # noqa: ANN401
    """Repair the broken projects in COLLECTION, a directory or an archive, by their visible tests.

    Their hidden tests judge.
    """
    directory = unpacked(collection, sources.load({}).cache_directory)
    run, repair = RunOptions.split(options)
    # A trajectory would say what a held-out project is like.
    trajectories = None if split == HELD_OUT else run.trajectory_directory
    work = Repair(options=repair, grader=HiddenTests(), trajectories=trajectories, seed=run.selection.seed)
    execute(
        "projects",
        load(directory, split=split),
        FiguresOnly(work=work) if split == HELD_OUT else work,
        options=run,
        inputs={collection.name.partition(".")[0]: take(directory).digest, **weights(repair)},
        configuration={**chosen(repair), "split": split},
    )
