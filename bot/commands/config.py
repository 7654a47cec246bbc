"""``regreen config``: show every option in force."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from bot.commands.printing import write_out
from bot.config.options.command_line import GroupedCommand, table_options

if TYPE_CHECKING:
    from bot.config.sources import Effective

FORMAT_VERSION = 1


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
    from bot.config import sources

    settings = sources.load(options)
    chosen, unread = sources.effective(settings), sources.unread_variables()
    said = json.dumps(plain_data(chosen, unread), indent=2) if as_json else as_table(chosen, unread)
    write_out(f"{said}\n".encode())


def as_table(chosen: Sequence[Effective], unread: Sequence[str]) -> str:
    """A line for each option under the heading of its group; what nothing reads comes last."""
    lines = []
    width = max(len(one.option.name) for one in chosen) + 2
    shown = (one.option.show(one.value) or f"({one.option.otherwise or 'none'})" for one in chosen)
    values = ["".join(c if c.isprintable() else " " for c in text) for text in shown]
    value_width = min(40, max(map(len, values)))
    for group, members in groupby(zip(chosen, values, strict=True), key=lambda pair: pair[0].option.group):
        lines += ["", group]
        lines += [f"  {one.option.name:{width}}{text:{value_width}}  {one.origin}" for one, text in members]
    if unread:
        from bot.config.options.values import unknown

        lines += ["", "Set, but read by nothing"]
        lines += [f"  {name}: {unknown(name.removeprefix('REGREEN_'))}" for name in unread]
    return "\n".join(lines[1:])


def plain_data(chosen: Sequence[Effective], unread: Sequence[str]) -> dict[str, Any]:
    """The same for a program: values in the units of ``docs/configuration.md``."""
    return {
        "version": FORMAT_VERSION,
        "options": {one.option.name: {"value": one.value, "origin": one.origin} for one in chosen},
        "unread_variables": list(unread),
    }
