"""``python tests/run_week.py --runs 200 --seed 0``: a week of red builds, with faults; see ``week``."""

import json
import os
import signal
import sys
import tempfile
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

import click
from fakes.github import serve
from lean_environment import make
from week.faults import FAULTS
from week.figures import tables
from week.incidents import KINDS
from week.simulate import Row, Simulation


@click.command()
@click.option("--runs", default=200, show_default=True, help="Failing runs of CI.")
@click.option("--first", default=0, show_default=True, help="Begin with this one: what a week was left with.")
@click.option("--seed", default=0, show_default=True, help="The same seed gives the same week.")
@click.option(
    "--sandbox", type=click.Choice(["bubblewrap", "docker"]), default="bubblewrap", show_default=True
)
@click.option("--image", default="", help="For docker: an image with Python 3 and pytest.")
@click.option(
    "--fault", "only", multiple=True, type=click.Choice(list(FAULTS)), help="Only these; may repeat."
)
@click.option("--output", type=click.Path(path_type=Path), help="A line of JSON for each incident.")
@click.option(
    "--kind", "kinds", multiple=True, type=click.Choice(list(KINDS)), help="Only these; may repeat."
)
def main(
    *,
    runs: int,
    first: int,
    seed: int,
    sandbox: str,
    image: str,
    output: Path | None,
    **chosen: tuple[str, ...],
) -> None:
    """Live through a week. Exit status: 0 all invariants held, 1 one was broken."""
    rows: list[Row] = []
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="regreen-week-") as name, serve() as github:
        directory = Path(name)
        python = str(make(directory / "environment") / "bin/python")
        inputs = {"sandbox": sandbox, "sandbox-python": python}
        if sandbox == "docker":
            inputs = {"sandbox": sandbox, "sandbox-image": image}
        simulation = Simulation(github=github, directory=directory, inputs=inputs, seed=seed, **chosen)
        with (output or Path(os.devnull)).open("w", encoding="utf-8") as file, suppress(KeyboardInterrupt):
            for row in simulation.rows(runs, first):
                rows.append(row)
                file.write(json.dumps(asdict(row)) + "\n")
                file.flush()
                _show(row)
    if len(rows) < runs - first:
        click.echo(f"interrupted after {len(rows)} of {runs - first}", err=True)
    click.echo(tables(rows))
    sys.exit(1 if len(rows) < runs - first or any(row.breaches for row in rows) else 0)


def _show(row: Row) -> None:
    ended = " and ".join(row.delivery) or "no proposal"
    after = f", then {row.after}" if row.after else ""
    faults = ", ".join(f"{one['fault']}{'' if one['struck'] else ' (too late)'}" for one in row.strikes)
    click.echo(
        f"{row.number:4} {row.kind}; {faults or 'no fault'}: {row.statuses} {row.outcome}, {ended}{after}, "
        f"{row.seconds:.1f} s",
        err=True,
    )
    for breach in row.breaches:
        click.echo(f"     BROKEN {breach}", err=True)


if __name__ == "__main__":
    main()
