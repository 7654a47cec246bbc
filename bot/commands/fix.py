"""``regreen fix``: repair failing tests."""

import click

from bot.commands.printing import deliver
from bot.config.options.command_line import (
    GroupedCommand,
    PatchOutput,
    delivery_options,
    log_option,
    project_argument,
    table_options,
)


@click.command(cls=GroupedCommand, short_help="Repair failing tests, and print the verified diff.")
@project_argument
@log_option(help="A CI log: repair the failures that it names.")
@click.option(
    "--base", metavar="VERSION", default="auto", help="Compare with a git revision, a path (./NAME) or none."
)
@delivery_options
@click.option("--resume", is_flag=True, help="Go on where a killed run of the same project stopped.")
@table_options()
@click.pass_context
def fix(context: click.Context, /, *, shown: PatchOutput, **options: object) -> None:
    """Repair the failing tests of the project at PATH and print the verified diff.

    The diff goes to standard output, everything else to standard error: 'regreen fix > fix.patch' writes a
    patch for 'git apply'. Only --apply changes the working tree.

    The options below the first group, and others, can be set in a file (--config) or in the environment
    (--time-budget is REGREEN_TIME_BUDGET). 'regreen config' shows them all.
    """
    from bot import compose
    from bot.config import sources

    settings = sources.load(options)
    deliver(context, settings, lambda progress: compose.fix(settings, progress), shown)
