"""The options that the benchmarks share, and what they choose."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from benchmarks.harness import Task
from bot.errors import ConfigurationError
from bot.options import OPTIONS, SEARCH_PARTS

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)

# Of `regreen fix`, passed on to it; what is measured depends on them, so they are in a run's header.
_REPAIR = (
    click.option("--strategy", default="search"),
    click.option("--model"),
    click.option("--workers", type=click.IntRange(min=1), help="Candidates to run at the same time."),
    click.option(
        "--without",
        "search_without",
        multiple=True,
        type=click.Choice(SEARCH_PARTS),
        help="A part of the search to leave out; may be repeated.",
    ),
    click.option("--sandbox", default="auto"),
    click.option("--sandbox-image"),
    click.option("--python", "sandbox_python"),
)
_RUN = (
    click.option("--ids", help="Tasks to run, by the end of their names, such as 3,17; all by default."),
    click.option("--limit", type=click.IntRange(min=1), help="The first N of them only."),
    click.option("--sample", type=click.IntRange(min=1), help="N of them, drawn evenly from the groups."),
    click.option("--seed", default=0, help="For --sample."),
    click.option("--parallel", default=1, type=click.IntRange(min=1), help="Tasks at the same time."),
    click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="The run's file."),
    click.option("--resume", is_flag=True, help="Go on with the run in --output."),
)

Command = Callable[..., None]


def repair_options(*, time_budget: float, test_timeout: float) -> Callable[[Command], Command]:
    """Options of a repair, with these defaults in seconds for a task and for a test."""
    limits = (
        click.option("--time-budget", type=float, default=time_budget, help="Seconds a task."),
        click.option("--test-timeout", type=float, default=test_timeout, help="Seconds a test."),
    )
    return _all(*_REPAIR, *limits)


def run_options() -> Callable[[Command], Command]:
    """Which tasks, how many at a time, and where to."""
    return _all(*_RUN)


def _all(*decorators: Callable[[Command], Command]) -> Callable[[Command], Command]:
    def decorate(command: Command) -> Command:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """What ``run_options`` were given."""

    ids: str | None = None
    limit: int | None = None
    sample: int | None = None
    seed: int = 0
    parallel: int = 1
    output: Path | None = None
    resume: bool = False

    @classmethod
    def split(cls, options: dict[str, Any]) -> tuple[RunOptions, dict[str, Any]]:
        """These options, and those that are left: a repair's, as ``config.load`` takes them."""
        mine = {name: options.pop(name) for name in cls.__dataclass_fields__}
        left_out = options.pop("search_without", ())
        repair = {**options, "search_without": ",".join(left_out)} if left_out else options
        # What the table of options does not know would be left out without a word.
        assert repair.keys() <= {option.field for option in OPTIONS}, repair.keys()
        return cls(**mine), {name: value for name, value in repair.items() if value is not None}

    def chosen(self, tasks: Iterable[Task]) -> list[Task]:
        """The tasks to run.

        Raises:
            ConfigurationError: none of them is left, or one that was named is not there.
        """
        found = list(tasks)
        if self.ids:
            wanted = [name.strip() for name in self.ids.split(",")]
            by_name = {key: task for task in found for key in (task.name, task.name.rpartition("/")[2])}
            missing = [name for name in wanted if name not in by_name]
            if missing:
                raise ConfigurationError(f"no such task: {', '.join(missing)}")
            found = [by_name[name] for name in wanted]
        if self.sample:
            found = stratified(found, self.sample, seed=self.seed)
        found = found[: self.limit]
        if not found:
            raise ConfigurationError("there is no task to run")
        return found


def stratified(tasks: Sequence[Task], count: int, *, seed: int) -> list[Task]:
    """``count`` of ``tasks`` in their order, from each group its share (largest remainders), by ``seed``."""
    groups: dict[str, list[Task]] = defaultdict(list)
    for task in tasks:
        groups[task.group].append(task)
    exact = {name: count * len(members) / len(tasks) for name, members in groups.items()}
    sizes = {name: int(share) for name, share in exact.items()}
    by_rest = sorted(exact, key=lambda name: (sizes[name] - exact[name], name))
    for name in by_rest[: min(count, len(tasks)) - sum(sizes.values())]:
        sizes[name] += 1
    dice = random.Random(seed)  # noqa: S311 - a sample, not a secret
    drawn = {
        task.name
        for name in sorted(groups)
        for task in dice.sample(groups[name], min(sizes[name], len(groups[name])))
    }
    return [task for task in tasks if task.name in drawn]
