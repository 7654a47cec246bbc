"""The options that the benchmarks share: those of a run, and those of a repair, also the file's only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import click

from benchmarks.runs.selection import Selection, Shard
from bot.config.options import OPTIONS, SEARCH_PARTS
from bot.config.options.command_line import TableOption

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
DIRECTORY = click.Path(exists=True, file_okay=False, path_type=Path)

# What becomes of a patch is no part of a measurement, and a trajectory's place follows from the run's.
NOT_MEASURED = frozenset({"project", "trajectory", "executor"})
GROUPS_NOT_MEASURED = frozenset({"GitHub", "Delivery"})
EXECUTORS = ("local", "ray")
_RUN = (
    click.option("--ids", help="Tasks to run, by the end of their names, such as 3,17; all by default."),
    click.option(
        "--fraction",
        type=click.FloatRange(0, 1, min_open=True),
        help="A part of each group, such as 0.35, drawn by --seed.",
    ),
    click.option(
        "--stratify",
        type=click.Choice(["bug_type", "group"]),
        help="What --fraction and --sample spread over: always the groups, which are bug types where a "
        "dataset has them.",
    ),
    click.option("--sample", type=click.IntRange(min=1), help="N tasks, drawn evenly from the groups."),
    click.option("--limit", type=click.IntRange(min=1), help="The first N of them only."),
    click.option("--seed", default=0, show_default=True, help="Draws the tasks."),
    click.option(
        "--samples",
        default=1,
        show_default=True,
        type=click.IntRange(min=1),
        help="Tries a task, for pass@k.",
    ),
    click.option(
        "--iterations",
        type=click.IntRange(min=1),
        help="A model's turns a task, the first one counted: --max-attempts by another name.",
    ),
    click.option(
        "--parallel", default=1, show_default=True, type=click.IntRange(min=1), help="Tasks at the same time."
    ),
    click.option(
        "--executor",
        default="local",
        show_default=True,
        type=click.Choice(EXECUTORS),
        help="ray: on a Ray cluster; its machines need this code and what the sandbox needs.",
    ),
    click.option(
        "--ray-address",
        metavar="ADDRESS",
        help="Of a cluster that is there, or auto; one is started on this machine otherwise.",
    ),
    click.option(
        "--shard", metavar="I/N", help="One part of the run, such as 2/3; 'merge' puts them together."
    ),
    click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="The run's file."),
    click.option(
        "--trajectories/--no-trajectories",
        default=True,
        show_default=True,
        help="With --output: keep each task's trajectory in a directory beside it.",
    ),
    click.option("--resume", is_flag=True, help="Go on with the run in --output."),
)

Command = Callable[..., None]


def repair_options(*, time_budget: float, test_timeout: float) -> Callable[[Command], Command]:
    """Every option of a repair, also those of the file only; the defaults given, in seconds, are its own."""
    left_out = NOT_MEASURED | {"search_without"}
    table = [
        click.option(entry.flag, *entry.flags, entry.field, cls=TableOption, entry=entry)
        for entry in OPTIONS
        if entry.group not in GROUPS_NOT_MEASURED and not entry.secret and entry.field not in left_out
    ]
    without = click.option(
        "--without",
        "search_without",
        multiple=True,
        type=click.Choice(SEARCH_PARTS),
        help="A part of the search to leave out; may be repeated.",
    )
    config = click.option("--config", type=FILE, help="A YAML file of options of 'regreen fix'.")
    defaults = {"time_budget": str(time_budget), "test_timeout": str(test_timeout)}

    def decorate(command: Command) -> Command:
        command = options(*table, without, config)(command)
        for parameter in getattr(command, "__click_params__", ()):
            if parameter.name in defaults:
                parameter.default, parameter.show_default = defaults[parameter.name], True
        return command

    return decorate


def run_options() -> Callable[[Command], Command]:
    """Which tasks, how many at a time, and where to."""
    return options(*_RUN)


def options(*decorators: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Several of click's decorators as one, the first on top."""

    def decorate(command: Command) -> Command:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """What ``run_options`` were given, but for what the repair gets of it."""

    selection: Selection = Selection()  # noqa: RUF009 - it is frozen
    parallel: int = 1
    executor: str = "local"
    ray_address: str | None = None
    shard: Shard | None = None
    output: Path | None = None
    trajectories: bool = True
    resume: bool = False

    @property
    def trajectory_directory(self) -> Path | None:
        """Where each trial's trajectory goes."""
        kept = self.trajectories and self.output
        return self.output.with_suffix(".trajectories").absolute() if kept and self.output else None

    @classmethod
    def split(cls, options: Mapping[str, Any]) -> tuple[RunOptions, dict[str, Any]]:
        """These options, and those that are left: a repair's, as ``config.load`` takes them.

        Raises:
            ConfigurationError: ``--shard`` is no part.
        """
        left = dict(options)
        left.pop("stratify", None)
        iterations = left.pop("iterations", None)
        shard = left.pop("shard", None)
        selection = Selection(**{f.name: left.pop(f.name) for f in fields(Selection) if f.name in left})
        run = cls(
            selection=selection,
            shard=Shard.parse(shard) if shard else None,
            **{f.name: left.pop(f.name) for f in fields(cls) if f.name in left},
        )
        left_out = left.pop("search_without", ())
        if left_out:
            left["search_without"] = ",".join(left_out)
        if iterations:
            left["max_attempts"] = iterations
        # What the table of options does not know would be left out without a word.
        known = {option.field for option in OPTIONS} | {"config"}
        assert left.keys() <= known, left.keys() - known
        return run, {name: value for name, value in left.items() if value is not None}
