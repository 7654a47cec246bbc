"""Made-up tasks: what the harness itself costs, and whether it loses anything."""

from typing import Any

import click

from benchmarks.execute import execute
from benchmarks.invented import Invented, Pretence
from benchmarks.options import RunOptions, run_options


@click.command(hidden=True)
@click.option("--count", default=1_000, show_default=True, type=click.IntRange(min=1))
@click.option("--task-seconds", default=0.0, show_default=True, type=click.FloatRange(min=0))
@run_options()
def invented(*, count: int, task_seconds: float, **options: Any) -> None:  # noqa: ANN401
    """Go through COUNT tasks that are made up, to see what the harness costs and keeps."""
    run, _ = RunOptions.split(options)
    execute(
        "invented",
        (Invented(number=number) for number in range(count)),
        Pretence(seconds=task_seconds),
        options=run,
        inputs={},
        configuration={"tool": "made up", "count": count, "task_seconds": task_seconds},
    )
