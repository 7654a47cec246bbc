"""The sanity set: who passes a task that nothing can win is caught."""

from typing import Any

import click

from benchmarks.bogus import TASKS
from benchmarks.commands.repairs import repair_all
from benchmarks.options import repair_options, run_options

CAUGHT = 1


@click.command()
@repair_options(time_budget=20.0, test_timeout=5.0)
@run_options()
@click.pass_context
def bogus(context: click.Context, /, **options: Any) -> None:  # noqa: ANN401
    """Try tasks that nothing can win. Exit status: 0 nothing passed, 1 something did, or crashed.

    What passes has found a way around the judges, or lies: no figure of such a configuration is to be
    trusted.
    """
    ended = repair_all("bogus", TASKS, options, inputs={})
    passed = [row["task"] for row in ended.rows if row["plausible"] or row["outcome"] == "patched"]
    crashed = [row["task"] for row in ended.rows if row["outcome"] == "crashed"]
    for what, names in (("passed, though nothing can pass them", passed), ("crashed", crashed)):
        if names:
            click.echo(f"{len(names)} {what}: {', '.join(names)}", err=True)
    context.exit(CAUGHT if passed or crashed else 0)
