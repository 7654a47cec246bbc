"""``regreen fix``: repair failing tests."""

from pathlib import Path

import click

from bot.commands.printing import deliver
from bot.config.options.command_line import GroupedCommand, delivery_options, table_options


@click.command(cls=GroupedCommand, short_help="Repair failing tests, and print the verified diff.")
@click.argument("project", metavar="[PATH]", default=".", type=click.Path(path_type=Path))
@click.option(
    "--log",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="A CI log: repair the failures that it names.",
)
@click.option(
    "--base",
    metavar="VERSION",
    default="auto",
    help="Compare with a git revision, a path (./NAME) or none.",
)
@delivery_options
@click.option("--resume", is_flag=True, help="Go on where a killed run of the same project stopped.")
@click.option("-v", "--verbose", is_flag=True, help="Say what happens; show tracebacks of internal errors.")
@table_options()
@click.pass_context
def fix(
    context: click.Context,
    /,
    *,
    write: bool,
    output: Path | None,
    as_json: bool,
    verbose: bool,
    **options: object,
) -> None:
    """Repair the failing tests of the project at PATH and print the verified diff.

    The diff goes to standard output, everything else to standard error: 'regreen fix > fix.patch' writes a
    patch for 'git apply'. Only --apply changes the working tree.

    The options below the first group, and others, can be set in a file (--config) or in the environment
    (--time-budget is REGREEN_TIME_BUDGET). 'regreen config' shows them all.
    """
    from bot import compose
    from bot.config import sources

    settings = sources.load(options)
    deliver(
        context,
        lambda progress: compose.fix(settings, progress),
        project=settings.project,
        state=settings.state_directory,
        write=write,
        output=output,
        as_json=as_json,
        verbose=verbose,
    )
