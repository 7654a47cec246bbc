"""The command line. It parses, prints and maps errors to exit codes; the work is done elsewhere.

Heavy libraries are imported by the commands that use them, so that ``regreen --help`` answers at once.
"""

import signal
import sys
import traceback
from typing import NoReturn

import click

from bot import __version__
from bot.commands.bench import bench
from bot.commands.completion import completion
from bot.commands.config import show_config
from bot.commands.culprit import culprit
from bot.commands.doctor.command import doctor
from bot.commands.fix import fix
from bot.commands.graph import graph
from bot.commands.init.command import init
from bot.commands.lint_fix import lint_fix
from bot.commands.prove import prove
from bot.commands.show import show
from bot.commands.triage import triage
from bot.ending import INTERNAL_ERROR, ending, unwind_on

INTERRUPTED = 130
ENDING_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="regreen")
def cli() -> None:
    """Turn a failing test run green: find the smallest patch, and prove it in a fresh sandbox.

    Exit status: 0 a verified patch, 1 no patch (the reason is on standard error), 2 a bad option or
    project, 4 the model, 5 the patch could not be written, 6 the sandbox, 7 a patch to read first.
    """


for command in (
    fix,
    culprit,
    prove,
    lint_fix,
    triage,
    show_config,
    show,
    doctor,
    init,
    completion,
    graph,
    bench,
):
    cli.add_command(command)


def main() -> NoReturn:
    """The console script: run the command line, end with the documented status."""
    # One that is ignored stays so, as nohup wants it.
    unwind_on(number for number in ENDING_SIGNALS if signal.getsignal(number) is not signal.SIG_IGN)
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
    status, lines = ending(error)
    is_ours = status == INTERNAL_ERROR
    if is_ours and verbose:
        traceback.print_exception(error)
    end = " (-v shows where; please report it)" if is_ours else ""
    return [_fail(f"{line}{end}", status) for line in lines][-1]


def _fail(message: str, status: int) -> int:
    line = "".join(c if c.isprintable() else " " for c in " ".join(message.split()))
    click.echo(f"regreen: {line}", err=True)
    return status
