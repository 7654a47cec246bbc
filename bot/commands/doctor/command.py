"""The command ``regreen doctor``."""

import json
from pathlib import Path

import click

from bot.commands.printing import write_out
from bot.config.options.command_line import GroupedCommand, table_options


@click.command(
    "doctor", cls=GroupedCommand, short_help="See what a repair needs here, and attack the sandbox."
)
@click.option(
    "--project",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="Also say what this project's environment and tests would be; nothing of it is run.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@table_options("Sandbox", "Model")
@click.pass_context
def doctor(context: click.Context, /, *, project: Path | None, as_json: bool, **options: object) -> None:
    """Look at what a repair needs here, and attack the sandbox to see it hold.

    A model that is named (--model) is asked a few short questions: whether it answers, and what it can do.
    Where GITHUB_TOKEN and GITHUB_REPOSITORY are set, it is seen what the token may read.

    Exit status: 0 a secure sandbox works, 6 there is none.
    """
    from rich.console import Console

    from bot.commands.doctor.diagnose import diagnose
    from bot.commands.doctor.diagnosis import plain_data, show
    from bot.config import sources
    from bot.console import ConsoleProgress
    from bot.errors import MachineError

    settings = sources.load({**options, "project": project} if project else options)
    with ConsoleProgress(Console(stderr=True), verbose=False) as progress:
        diagnosis = diagnose(
            settings,
            lambda text: progress.stage("doctor", text),
            project=settings.project if project else None,
            place=sources.github_place(),
        )
    if as_json:
        write_out(f"{json.dumps(plain_data(diagnosis), indent=2)}\n".encode("ascii"))
    else:
        show(Console(), diagnosis)
    context.exit(0 if diagnosis.sandbox else MachineError.exit_code)
