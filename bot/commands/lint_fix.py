"""``regreen lint-fix``: let the tools themselves fix what they find."""

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


@click.command("lint-fix", cls=GroupedCommand, short_help="Let ruff, black or isort fix what they find.")
@project_argument
@log_option(help="A CI log in which a check failed.")
@click.option("--check", "commands", metavar="COMMAND", multiple=True, help="A check, as CI calls it.")
@delivery_options
@table_options("Repair", "Tests", "Sandbox", "Limits of the sandbox")
@click.pass_context
def lint_fix(
    context: click.Context, /, *, commands: tuple[str, ...], shown: PatchOutput, **options: object
) -> None:
    """Let the formatter or linter that fails fix the project at PATH, and print the verified diff.

    The tool runs in the sandbox, in the project's environment. Its patch is delivered as one of 'regreen fix'
    is: when the check passes in a fresh sandbox, and all tests that passed still pass. 'ruff format',
    'black', 'isort' and the safe fixes of 'ruff check' are known, also as hooks of pre-commit.
    """
    from bot.compose.lint_fix import composition
    from bot.compose.lint_fix.lint_commands import read_check
    from bot.config import sources
    from bot.errors import ConfigurationError

    known = tuple(check for text in commands if (check := read_check(text)))
    if len(known) < len(commands):
        raise ConfigurationError("--check: only 'ruff check', 'ruff format', 'black' and 'isort' can fix")
    settings = sources.load(options)
    deliver(context, settings, lambda progress: composition.lint_fix(settings, known, progress), shown)
