"""``regreen triage``: judge from a CI log what made the job fail."""

import json
from pathlib import Path

import click

from bot.commands.printing import write_out


@click.command("triage", short_help="Judge from a CI log what made the job fail.")
@click.argument("log", metavar="LOG", type=click.Path(path_type=Path))
@click.option(
    "--project",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="The checkout that the log is of; its files show more about the tests.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def triage(*, log: Path, project: Path | None, as_json: bool) -> None:
    """Say what made the job of a CI log fail, why one may think so, and what to do next.

    Only 'code' is worth a repair. Nothing is run: the log is read, and judged by rules. Exit status: 0
    whatever the verdict, 2 where the log cannot be read.
    """
    from rich.console import Console

    from bot.errors import ConfigurationError
    from bot.triage import report
    from bot.triage.log import ask
    from sandbox.snapshot import take

    if project and not project.is_dir():
        raise ConfigurationError(f"not a repository: {project} is not a directory")
    answer = ask(log, take(project).files if project else {})
    if as_json:
        write_out(f"{json.dumps(report.plain_data(answer), indent=2)}\n".encode("ascii"))
    else:
        report.show(Console(), answer)
