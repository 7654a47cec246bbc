"""The command line. It parses, prints and maps errors to exit codes; the work is done elsewhere.

Heavy libraries are imported by the commands that use them, so that ``regreen --help`` answers at once.
"""

from __future__ import annotations

import json
import signal
import sys
import traceback
from pathlib import Path
from typing import NoReturn

import click

from bot import __version__
from bot.commands.completion import completion
from bot.commands.doctor.command import doctor
from bot.commands.init.command import init
from bot.commands.printing import deliver, write_out
from bot.commands.show import show
from bot.config.options import STRATEGIES
from bot.config.options.command_line import GroupedCommand, delivery_options, table_options

INTERNAL_ERROR = 70
INTERRUPTED = 130
SIGNALLED = 128  # and the signal's number, as shells count
ENDING_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="regreen")
def cli() -> None:
    """Turn a failing test run green: find the smallest patch, and prove it in a fresh sandbox.

    Exit status: 0 a verified patch, 1 no patch (the reason is on standard error), 2 a bad option or
    project, 4 the model, 5 the patch could not be written, 6 the sandbox.
    """


@cli.command(cls=GroupedCommand, short_help="Repair failing tests, and print the verified diff.")
@click.argument("project", metavar="[PATH]", default=".", type=click.Path(path_type=Path))
@click.option(
    "--log",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="A CI log: repair the failures that it names.",
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

    The working tree is not touched without --apply (but what a killed --apply left half-way is taken back).
    The diff goes to standard output, everything else to
    standard error, so that 'regreen fix > fix.patch' holds a patch for 'git apply'.

    Each option below the first group may also be set in a file (--config) or in the environment, where
    --time-budget is REGREEN_TIME_BUDGET. 'regreen config' shows what is in force.
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


@cli.command("lint-fix", cls=GroupedCommand, short_help="Let ruff, black or isort fix what they find.")
@click.argument("project", metavar="[PATH]", default=".", type=click.Path(path_type=Path))
@click.option(
    "--log", metavar="FILE", type=click.Path(path_type=Path), help="A CI log in which a check failed."
)
@click.option("--check", "commands", metavar="COMMAND", multiple=True, help="A check, as CI calls it.")
@delivery_options
@click.option("-v", "--verbose", is_flag=True, help="Say what happens; show tracebacks of internal errors.")
@table_options("Repair", "Tests", "Sandbox", "Limits of the sandbox")
@click.pass_context
def lint_fix(  # noqa: PLR0913 - the options of the command
    context: click.Context,
    /,
    *,
    commands: tuple[str, ...],
    write: bool,
    output: Path | None,
    as_json: bool,
    verbose: bool,
    **options: object,
) -> None:
    """Let the formatter or linter that fails fix the project at PATH, and print the verified diff.

    The tool runs in the sandbox, in the project's environment. Its patch is delivered as one of 'regreen fix'
    is: when the check is green in a fresh sandbox, and all tests that passed still pass. 'ruff format',
    'black', 'isort' and the safe fixes of 'ruff check' are known.
    """
    from bot.commands.lint_fix import composition, read_check
    from bot.config import sources
    from bot.errors import ConfigurationError

    known = tuple(check for text in commands if (check := read_check(text)))
    if len(known) < len(commands):
        raise ConfigurationError("--check: only 'ruff check', 'ruff format', 'black' and 'isort' can fix")
    settings = sources.load(options)
    deliver(
        context,
        lambda progress: composition.lint_fix(settings, known, progress),
        project=settings.project,
        state=settings.state_directory,
        write=write,
        output=output,
        as_json=as_json,
        verbose=verbose,
    )


@cli.command(short_help="Judge from a CI log what made the job fail.")
@click.argument("log", metavar="LOG", type=click.Path(path_type=Path))
@click.option(
    "--project",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="The checkout that the log is of; its files tell more of the tests and their command.",
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


@cli.command("config", cls=GroupedCommand, short_help="Show every option in force, and where it comes from.")
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


for command in (show, doctor, init, completion):
    cli.add_command(command)


@cli.command()
@click.option("--strategy", type=click.Choice(STRATEGIES), default="search", show_default=True)
def graph(strategy: str) -> None:
    """Print the repair loop as a Mermaid diagram."""
    from bot.agent.graph import build

    click.echo(build(strategy).get_graph(xray=True).draw_mermaid())


@cli.command(
    add_help_option=False,
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    short_help="Measure repairs on datasets of broken programs.",
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def bench(context: click.Context, /, arguments: tuple[str, ...]) -> None:
    """Measure repairs: 'python -m benchmarks' by another name; 'regreen bench --help' shows its commands."""
    from importlib import import_module

    from bot.errors import ConfigurationError

    checkout = Path(__file__).resolve().parents[1]
    if not (checkout / "benchmarks" / "__main__.py").exists():
        raise ConfigurationError(
            "the benchmarks are not installed: clone Regreen's repository and run 'make' there, or "
            "pip install -e '.[bench]'"
        )
    sys.path.append(str(checkout))
    try:
        # By its name: the product does not know its benchmarks.
        program = import_module("benchmarks.__main__").cli
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            f"the benchmarks need {error.name}: pip install -e '.[bench]' in the checkout"
        ) from error
    context.exit(program.main(list(arguments), prog_name="regreen bench", standalone_mode=False) or 0)


def main() -> NoReturn:
    """The console script: run the command line, end with the documented status."""
    for number in ENDING_SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup wants it
            signal.signal(number, _terminate)
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run the command line and return its exit status; every error is one line on standard error."""
    try:
        # Without the standalone mode, the status given to Context.exit is returned.
        status = cli.main(arguments, prog_name="regreen", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return error.exit_code
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        hint = f" ('{context.command_path} --help' lists what there is)" if context else ""
        return _fail(error.format_message().rstrip(".") + hint, error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        goes_on = "; --resume goes on from here" if arguments[:1] in (["fix"], ["bench"]) else ""
        return _fail(f"interrupted{goes_on}", INTERRUPTED)
    except Exception as error:  # noqa: BLE001 - the one broad except, at the root
        return _failure(error, verbose="-v" in arguments or "--verbose" in arguments)
    return status if isinstance(status, int) else 0


def _failure(error: Exception, *, verbose: bool) -> int:
    from bot.errors import InvalidConfiguration, MachineError, RegreenError
    from bot.full_disk import disk_failure
    from sandbox.errors import SandboxError

    if isinstance(error, InvalidConfiguration):
        return [_fail(problem, error.exit_code) for problem in error.problems][-1]
    if isinstance(error, RegreenError):
        return _fail(str(error), error.exit_code)
    if isinstance(error, SandboxError):
        return _fail(str(error), MachineError.exit_code)
    if verbose:
        traceback.print_exception(error)
    if said := disk_failure(error):
        return _fail(said, MachineError.exit_code)
    return _fail(
        f"internal error: {type(error).__name__}: {error} (-v shows where; please report it)", INTERNAL_ERROR
    )


def _fail(message: str, status: int) -> int:
    line = "".join(c if c.isprintable() else " " for c in " ".join(message.split()))
    click.echo(f"regreen: {line}", err=True)
    return status


def _terminate(signum: int, _frame: object) -> NoReturn:
    # Unwinds the stack, which closes every sandbox on the way. A second signal must not cut that short.
    for number in ENDING_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    raise SystemExit(SIGNALLED + signum)
