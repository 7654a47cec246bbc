"""``regreen config``: show every option in force."""

import json

import click

from bot.commands.printing import write_out
from bot.config.options.command_line import GroupedCommand, table_options


@click.command(
    "config", cls=GroupedCommand, short_help="Show every option in force, and where it comes from."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@table_options()
def show_config(*, as_json: bool, **options: object) -> None:
    """Show every option as it is in force, and where its value comes from.

    The first of these that sets an option decides: the command line, the Action's input (INPUT_...), the
    environment (REGREEN_...), the file named by --config, the default. Keys are masked.
    """
    from bot.commands.config_listing import as_table, plain_data
    from bot.config import sources

    settings = sources.load(options)
    chosen, unread = sources.effective(settings), sources.unread_variables()
    write_out(
        (json.dumps(plain_data(chosen, unread), indent=2) if as_json else as_table(chosen, unread)).encode()
        + b"\n"
    )
