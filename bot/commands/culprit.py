"""``regreen culprit``: which part of a change makes the tests fail, shown by running them without it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import click

from bot.commands.printing import write_out
from bot.config.options.command_line import GroupedCommand, table_options


@click.command(cls=GroupedCommand, short_help="Find the part of a change that makes tests fail.")
@click.argument("project", metavar="[PATH]", default=".", type=click.Path(path_type=Path))
@click.option(
    "--log",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="A CI log: its failures are the ones to explain.",
)
@click.option(
    "--base",
    metavar="VERSION",
    default="auto",
    help="Compare with a git revision, else a path (./NAME): a directory or a diff.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, as 'regreen fix --json' does.")
@click.option("-v", "--verbose", is_flag=True, help="Say what happens.")
@table_options("Tests", "Sandbox", "Limits of the sandbox")
@click.option("--test-command", metavar="COMMAND", help="Runs the tests; else found.")
@click.option("--time-budget", metavar="TIME", help="For the whole, without building the environment: 5m.")
@click.pass_context
def culprit(context: click.Context, /, *, base: str, as_json: bool, verbose: bool, **options: object) -> None:
    """Find the smallest part of a change without which the failing tests of the project at PATH pass.

    The project is compared with the version that --base names; in a git checkout with HEAD, where its branch
    begins, or HEAD's parent. The tests run in the sandbox, without parts of the change. Exit status: 0 and a
    line PATH:FIRST-LAST for each part, 1 where no part makes the difference.
    """
    from rich.console import Console

    from bot import compose
    from bot.agent.state import CULPRIT
    from bot.config import sources
    from bot.console import ConsoleProgress, plain
    from bot.delivery.json_report import plain_data

    settings = replace(sources.load({**options, "base": base}), strategy=CULPRIT)
    console = Console(stderr=True)
    with ConsoleProgress(console, verbose=verbose) as progress:
        result = compose.fix(settings, progress).result
    found = result.culprit
    if as_json:
        write_out(f"{json.dumps(plain_data(result), indent=2)}\n".encode("ascii"))
    elif found:
        places = [f"{plain(path, 1_000)}:{first}-{last}\n" for path, (first, last) in found.lines]
        write_out("".join(places).encode("utf-8", "backslashreplace"))
    said = found.sentence if found else result.reason
    console.print(plain(said, 1_000), markup=False, highlight=False, soft_wrap=True)
    context.exit(0 if found else 1)
