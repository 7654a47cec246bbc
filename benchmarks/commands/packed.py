"""Archives of broken programs: to a directory, and back."""

from pathlib import Path

import click

from benchmarks import packed
from benchmarks.options import DIRECTORY, FILE
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
