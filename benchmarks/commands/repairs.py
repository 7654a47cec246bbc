"""What the benchmarks that repair have in common."""

from collections.abc import Iterable, Mapping
from typing import Any

from benchmarks.broken import FiguresOnly
from benchmarks.execute import execute
from benchmarks.harness import Repair
from benchmarks.options import RunOptions
from benchmarks.pins import chosen, weights
from benchmarks.runfile import Run
from benchmarks.tasks import Grader, Task


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
