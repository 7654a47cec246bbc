"""Several configurations one after another, side by side in the end."""

from pathlib import Path

import click

from benchmarks import runfile
from benchmarks.matrix import read
from benchmarks.options import FILE
from benchmarks.report import BULKY, side_by_side
from bot.errors import ConfigurationError

FINAL = "report.md"


@click.command()
@click.argument("file", type=FILE)
@click.option(
    "--output", required=True, type=click.Path(file_okay=False, path_type=Path), help="A run's file for each."
)
@click.option("--only", multiple=True, metavar="NAME", help="This configuration; may be repeated.")
@click.option("--set", "added", multiple=True, metavar="NAME=VALUE", help="An option for all of them.")
@click.option("--resume", is_flag=True, help="Go on with what is in --output.")
@click.pass_context
def matrix(  # noqa: PLR0913 - its options
    context: click.Context,
    /,
    *,
    file: Path,
    output: Path,
    only: tuple[str, ...],
    added: tuple[str, ...],
    resume: bool,
) -> None:
    """Run every configuration of the matrix FILE into OUTPUT/NAME.jsonl, then compare them.

    The file names a benchmark, options for all configurations, and the configurations with options of their
    own; benchmarks/peers/ holds some.
    """
    found = read(file)
    if missing := [name for name in only if name not in {configuration.name for configuration in found}]:
        raise ConfigurationError(f"{file} has no configuration {', '.join(missing)}")
    chosen = [configuration for configuration in found if not only or configuration.name in only]
    group = context.find_root().command
    assert isinstance(group, click.Group)
    statuses = []
    for configuration in chosen:
        name, *options = configuration.command
        command = group.get_command(context, name)
        if command is None or name == context.info_name:
            raise ConfigurationError(f"{file}: there is no benchmark {name}")
        click.echo(f"== {configuration.name}", err=True)
        arguments = [
            *(f"--{text}" for text in added),
            *options,
            f"--output={output / configuration.name}.jsonl",
        ]
        status = command.main(
            [*arguments, *(["--resume"] if resume else [])],
            prog_name=f"{context.command_path} {file}: {configuration.name}",
            standalone_mode=False,
        )
        statuses.append(status if isinstance(status, int) else 0)
    text = _together(output, [configuration.name for configuration in chosen])
    (output / FINAL).write_text(text, "utf-8")
    click.echo(text)
    context.exit(max(statuses, default=0))


def _together(output: Path, names: list[str]) -> str:
    runs = {name: runfile.read(output / f"{name}.jsonl", without=BULKY) for name in names}
    return side_by_side(runs) + "\n"
