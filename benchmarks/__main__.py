"""``python -m benchmarks NAME``, also ``regreen bench NAME``: measure Regreen."""

import sys

import click

from benchmarks.commands.fixes import fixes
from benchmarks.commands.humanevalfix import humanevalfix
from benchmarks.commands.intended import intended_changes
from benchmarks.commands.libraries import libraries
from benchmarks.commands.policy import policy
from benchmarks.commands.publish import publish
from benchmarks.commands.regressions import regressions_command
from benchmarks.commands.repairs import bogus, invented, loops, projects, quixbugs
from benchmarks.commands.report import compare, merge, report
from benchmarks.commands.seeded import prove_patches, seed_bugs, seeded
from bot.errors import RegreenError
from sandbox.errors import SandboxError

COMMANDS = (
    *(humanevalfix, quixbugs, projects, loops, seeded, seed_bugs, prove_patches, libraries, bogus),
    *(report, compare, merge, publish, fixes, policy, invented, intended_changes),
    regressions_command,
)
INTERRUPTED = 130


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
def cli() -> None:
    """Measure Regreen: a line of JSON for each task, and a report."""


for command in COMMANDS:
    cli.add_command(command)


def main() -> None:
    """Run the command line; an error that is ours is one line."""
    try:
        sys.exit(cli.main(prog_name="python -m benchmarks", standalone_mode=False))
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("benchmarks: interrupted; --resume goes on from here", err=True)
        sys.exit(INTERRUPTED)
    except (RegreenError, SandboxError) as error:
        click.echo(f"benchmarks: {error}", err=True)
        sys.exit(error.exit_code if isinstance(error, RegreenError) else 6)


if __name__ == "__main__":
    main()
