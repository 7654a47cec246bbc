"""``python -m benchmarks.throughput``: measure, print the tables, and write the page."""

import sys
from pathlib import Path

import click

from benchmarks.libraries import catalogue
from benchmarks.libraries.sources import cache_directory
from benchmarks.runs.execute import execute
from benchmarks.runs.options import FILE, RunOptions
from benchmarks.runs.pins import digest
from benchmarks.runs.progress import OutcomeTally
from benchmarks.runs.selection import Selection
from benchmarks.seeded.mutants import TOOL
from benchmarks.throughput.peers import MUTMUT
from benchmarks.throughput.report import KINDS, page
from benchmarks.throughput.work import Measure
from bot.errors import RegreenError
from sandbox.errors import SandboxError

COUNT = click.IntRange(min=1)


@click.command(context_settings={"show_default": True, "help_option_names": ["-h", "--help"]})
@click.option(
    "--catalogue", "file", type=FILE, default=catalogue.CATALOGUE, help="Where the libraries stand."
)
@click.option(
    "--library", "names", multiple=True, metavar="NAME", help="Instead of the usual eight; may be repeated."
)
@click.option("--mutants", "count", default=60, type=COUNT, help="Mutants of each library.")
@click.option("--slow", default=10, type=click.IntRange(min=0), help="So many of them for cosmic-ray too.")
@click.option("--seed", default=0, help="Draws the mutants.")
@click.option("--sandbox", default="bubblewrap", type=click.Choice(["bubblewrap", "docker", "process"]))
@click.option("--suite-timeout", default=300.0, help="Seconds for a whole run of a suite.")
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="The run's file, JSON lines.")
@click.option("--resume", is_flag=True, help="Go on with the run in --output.")
def main(  # noqa: PLR0913 - its options
    *,
    file: Path,
    names: tuple[str, ...],
    count: int,
    slow: int,
    seed: int,
    sandbox: str,
    suite_timeout: float,
    output: Path | None,
    resume: bool,
) -> None:
    """Verdicts a second and core on suites of libraries, beside mutmut 3 and cosmic-ray 8.

    All tools judge the same mutants by the same tests, one after another on one processor. mutmut and
    cosmic-ray are installed into environments of their own. They run outside of any sandbox, in copies of
    the libraries, with your rights.
    """
    options = {"sandbox": sandbox, "suite_timeout": suite_timeout}
    execute(
        "throughput",
        [item for item in catalogue.items(file, cache=cache_directory()) if item.group == catalogue.LIBRARY],
        Measure(options=options, count=count, slow=slow, seed=seed),
        options=RunOptions(
            selection=Selection(ids=",".join(names or KINDS), seed=seed), output=output, resume=resume
        ),
        inputs={file.name: digest(file)},
        configuration={**options, "mutants": count, "slow": slow, "tools": [*MUTMUT, *TOOL]},
        report=page,
        tally=OutcomeTally,
    )


if __name__ == "__main__":
    try:
        main()
    except (RegreenError, SandboxError) as error:
        click.echo(f"benchmarks: {error}", err=True)
        sys.exit(6)
