"""The benchmarks that repair, where one has no module of its own, and what all of them have in common."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from benchmarks.datasets.bogus import TASKS
from benchmarks.datasets.broken import HELD_OUT, SPLITS, FiguresOnly, hidden_tests, load
from benchmarks.datasets.invented import Invented, Pretence
from benchmarks.datasets.packed import DATA, unpacked
from benchmarks.datasets.quixbugs import CALLS, FIXED, PROGRAMS, TESTS, programs_in
from benchmarks.runs.execute import execute
from benchmarks.runs.harness import Repair
from benchmarks.runs.options import DIRECTORY, RunOptions, repair_options, run_options
from benchmarks.runs.pins import chosen, weights
from benchmarks.runs.runfile import Run
from benchmarks.runs.tasks import Grader, Task
from bot.config import sources
from sandbox.snapshot import take

CAUGHT = 1


def repair_all(  # noqa: PLR0913 - what a run is made of, each by its name
    benchmark: str,
    tasks: Iterable[Task],
    options: Mapping[str, Any],
    *,
    inputs: Mapping[str, str],
    grader: Grader | None = None,
    configuration: Mapping[str, object] | None = None,
    figures_only: bool = False,
) -> Run:
    """Repair ``tasks`` by the ``options`` of the command line, those of a run and of a repair.

    ``configuration`` is pinned beside the options of the repair. With ``figures_only`` the run keeps nothing
    that would say what a task is like.

    Raises:
        OSError: the run's file cannot be written.
        ConfigurationError: the file holds another run, there is no task, or a value cannot be used.
    """
    run, repair = RunOptions.split(options)
    trajectories = None if figures_only else run.trajectory_directory
    work = Repair(options=repair, grader=grader, trajectories=trajectories)
    return execute(
        benchmark,
        tasks,
        FiguresOnly(work=work) if figures_only else work,
        options=run,
        inputs={**inputs, **weights(repair)},
        configuration={**chosen(repair), **(configuration or {})},
    )


@click.command()
@click.argument("checkout", type=DIRECTORY)
@repair_options(time_budget=60.0, test_timeout=5.0)
@run_options()
def quixbugs(*, checkout: Path, **options: Any) -> None:  # noqa: ANN401
    """Repair the Python programs of a CHECKOUT of QuixBugs; their tests are given, and judge."""
    programs = programs_in(checkout.absolute())
    parts = (checkout / part for part in (PROGRAMS, FIXED, TESTS, CALLS))
    inputs = {part.name: take(part).digest for part in parts if part.is_dir()}
    repair_all("quixbugs", programs, options, inputs=inputs)


@click.command()
@click.argument("collection", type=click.Path(exists=True, path_type=Path), default=DATA / "projects.tar.xz")
@click.option("--split", type=click.Choice(SPLITS), default=SPLITS[0], show_default=True)
@repair_options(time_budget=60.0, test_timeout=10.0)
@run_options()
def projects(*, collection: Path, split: str, **options: Any) -> None:  # noqa: ANN401
    """Repair the broken projects in COLLECTION, a directory or an archive, by their visible tests.

    Their hidden tests judge.
    """
    directory = unpacked(collection, sources.load({}).cache_directory)
    repair_all(
        "projects",
        load(directory, split=split),
        options,
        inputs={collection.name.partition(".")[0]: take(directory).digest},
        grader=hidden_tests,
        configuration={"split": split},
        figures_only=split == HELD_OUT,
    )


@click.command()
@repair_options(time_budget=60.0, test_timeout=30.0)
@run_options()
def loops(**options: Any) -> None:  # noqa: ANN401
    """Repair programs whose tests never end; their hidden tests judge."""
    directory = unpacked(DATA / "loops.tar.xz", sources.load({}).cache_directory)
    inputs = {"loops": take(directory).digest}
    repair_all("loops", load(directory, split="dev"), options, inputs=inputs, grader=hidden_tests)


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
