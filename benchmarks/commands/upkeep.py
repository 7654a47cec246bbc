"""What keeps the benchmarks themselves: archives of broken programs, and made-up tasks."""

from pathlib import Path
from typing import Any

import click

from benchmarks.datasets import packed
from benchmarks.datasets.invented import Invented, Pretence
from benchmarks.runs.execute import execute
from benchmarks.runs.options import DIRECTORY, FILE, RunOptions, run_options
from bot.errors import ConfigurationError

NEW = click.Path(path_type=Path)


@click.command()
@click.argument("archive", type=FILE)
@click.argument("directory", type=NEW)
def unpack(*, archive: Path, directory: Path) -> None:
    """Write the files of ARCHIVE to DIRECTORY, which must not exist."""
    if directory.exists():
        raise ConfigurationError(f"{directory} exists: name another directory")
    packed.unpack(archive, directory)


@click.command()
@click.argument("directory", type=DIRECTORY)
@click.argument("archive", type=NEW)
def pack(*, directory: Path, archive: Path) -> None:
    """Write the files below DIRECTORY to ARCHIVE, and print its line for SHA256SUMS."""
    click.echo(f"{packed.pack(directory, archive)}  {archive.name}")


@click.command(hidden=True)
@click.option("--count", default=1_000, show_default=True, type=click.IntRange(min=1))
@click.option("--task-seconds", default=0.0, show_default=True, type=click.FloatRange(min=0))
@run_options()
def invented(*, count: int, task_seconds: float, **options: Any) -> None:  # noqa: ANN401
    """Go through COUNT tasks that are made up, to see what the harness costs and keeps."""
    run, _ = RunOptions.split(options)
    execute(
        "invented",
        (Invented(number=number) for number in range(count)),
        Pretence(seconds=task_seconds),
        options=run,
        inputs={},
        configuration={"tool": "made up", "count": count, "task_seconds": task_seconds},
    )
