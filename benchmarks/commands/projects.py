"""The collections of small broken programs: projects with a manifest, and programs that never end."""

from pathlib import Path
from typing import Any

import click

from benchmarks.broken import HELD_OUT, SPLITS, HiddenTests, load
from benchmarks.commands.repairs import repair_all
from benchmarks.options import repair_options, run_options
from benchmarks.packed import DATA, unpacked
from bot.config import sources
from sandbox.snapshot import take


@click.command()
@click.argument("collection", type=click.Path(exists=True, path_type=Path), default=DATA / "projects.tar.xz")
@click.option("--split", type=click.Choice(SPLITS), default=SPLITS[0], show_default=True)
@repair_options(time_budget=60.0, test_timeout=10.0)
@run_options()
def projects(*, collection: Path, split: str, **options: Any) -> None:  # noqa: ANN401
    """Repair the broken projects in COLLECTION, a directory or an archive, by their visible tests.

    Their hidden tests judge.
    """
    directory = unpacked(collection, sources.load({}).cache_directory)
    repair_all(
        "projects",
        load(directory, split=split),
        options,
        inputs={collection.name.partition(".")[0]: take(directory).digest},
        grader=HiddenTests(),
        configuration={"split": split},
        figures_only=split == HELD_OUT,
    )


@click.command()
@repair_options(time_budget=60.0, test_timeout=30.0)
@run_options()
def loops(**options: Any) -> None:  # noqa: ANN401
    """Repair programs whose tests never end; their hidden tests judge."""
    directory = unpacked(DATA / "loops.tar.xz", sources.load({}).cache_directory)
    inputs = {"loops": take(directory).digest}
    repair_all("loops", load(directory, split="dev"), options, inputs=inputs, grader=HiddenTests())
