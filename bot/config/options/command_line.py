"""The table of options as options of the command line, and a help that shows them in groups.

A value is passed on as the text that was written: it is checked where the values of all sources are.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from bot.config.options.option import Option
from bot.config.options.table import BY_NAME, OPTIONS

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
OTHERS = "This run"


class TableOption(click.Option):
    """The option ``entry`` of the table, which is any text; ``group`` is the heading that it stands under."""

    def __init__(self, names: Sequence[str], *, entry: Option) -> None:
        super().__init__(
            names,
            type=str,
            shell_complete=lambda _context, _parameter, begun: [
                choice for choice in entry.choices if choice.startswith(begun)
            ],
            metavar=entry.placeholder,
            help=_help(entry),
            multiple=entry.repeated,
            callback=_joined if entry.repeated else None,
        )
        self.group = entry.group


class GroupedCommand(click.Command):
    """A command whose help shows the options of each group under its name, its own ones first."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """See ``click.Command.parse_args``; an option for the file only is said to be one."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            entry = BY_NAME.get(error.option_name.removeprefix("--"))
            if entry is None or entry.scope != "file":
                raise
            raise click.UsageError(
                f"{entry.flag} is no option of the command line: set {entry.name} in a file given with "
                f"--config, or {entry.variable}",
                ctx,
            ) from error

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """See ``click.Command.format_options``."""
        groups: dict[str, list[tuple[str, str]]] = {OTHERS: []}
        for parameter in self.get_params(ctx):
            # An argument is explained in the text above.
            record = None if isinstance(parameter, click.Argument) else parameter.get_help_record(ctx)
            if record is not None:
                groups.setdefault(getattr(parameter, "group", OTHERS), []).append(record)
        for name, records in groups.items():
            if records:
                with formatter.section(name):
                    formatter.write_dl(records)


@dataclass(frozen=True, slots=True, kw_only=True)
class PatchOutput:
    """What becomes of a patch, as the command line asks for it."""

    write: bool
    output: Path | None
    as_json: bool
    verbose: bool


FILE = click.Path(path_type=Path)
project_argument = click.argument("project", metavar="[PATH]", default=".", type=FILE)
log_option = partial(click.option, "--log", metavar="FILE", type=FILE)


def delivery_options(command: Callable[..., None]) -> Callable[..., None]:
    """A decorator that gives a command the options of what becomes of a patch, as ``shown``."""

    @click.option(
        "-v", "--verbose", is_flag=True, help="Say what happens; show tracebacks of internal errors."
    )
    @click.option("--apply", "write", is_flag=True, help="Write the verified patch into the working tree.")
    @click.option("--output", metavar="FILE", type=FILE, help="Write the diff there, not to stdout.")
    @click.option("--json", "as_json", is_flag=True, help="Print one JSON object, not the diff.")
    @wraps(command)
    def wrapped(
        *arguments: object, write: bool, output: Path | None, as_json: bool, verbose: bool, **options: object
    ) -> None:
        shown = PatchOutput(write=write, output=output, as_json=as_json, verbose=verbose)
        command(*arguments, shown=shown, **options)

    return wrapped


def table_options(*groups: str) -> Callable[[Decorated], Decorated]:
    """A decorator that gives a command the table's options (of ``groups``; else all), and ``--config``."""

    def decorate(command: Decorated) -> Decorated:
        # click adds each in front of those before.
        shown = [o for o in OPTIONS if o.on_command_line]
        for entry in reversed([o for o in shown if not groups or o.group in groups]):
            names = (entry.flag, *entry.flags, entry.field)
            command = click.option(*names, cls=TableOption, entry=entry)(command)
        return click.option(
            "--config", metavar="FILE", help="A YAML file of options. No other file is read."
        )(command)

    return decorate


def _joined(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> str | None:
    """What was given several times, as one text; None where it was not given."""
    del context, parameter
    return ",".join(values) or None


def _help(option: Option) -> str:
    default = option.show(option.default) or option.otherwise
    return f"{option.help}  [default: {default}]" if default else option.help
