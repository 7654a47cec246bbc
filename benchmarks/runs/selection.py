"""Which tasks of a dataset a run takes, and how often: the same ones for every command, by the seed."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.runs.tasks import Task, Trial
from bot.errors import ConfigurationError


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """The part ``number`` of ``count``, from 1; parts differ by one trial at most."""

    number: int
    count: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """``2/3`` is the second part of three.

        Raises:
            ConfigurationError: it is no such text.
        """
        number, _, count = text.partition("/")
        if number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count):
            return cls(number=int(number), count=int(count))
        raise ConfigurationError(f"--shard: {text} is no part such as 2/3, from 1/3 to 3/3")

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What to take: named ones, then a drawn part, then the first ones; each ``samples`` times.

    ``fraction`` (in (0, 1]) is of each group, ``sample`` a number of tasks spread over the groups.
    """

    ids: str | None = None
    fraction: float | None = None
    sample: int | None = None
    limit: int | None = None
    seed: int = 0
    samples: int = 1

    def tasks(self, tasks: Iterable[Task]) -> list[Task]:
        """The tasks to run.

        Raises:
            ConfigurationError: none of them is left, or one that was named is not there.
        """
        found = list(tasks)
        if self.ids:
            found = named(found, self.ids)
        if self.fraction:
            found = fraction_of_each(found, self.fraction, seed=self.seed)
        if self.sample:
            found = stratified(found, self.sample, seed=self.seed)
        found = found[: self.limit]
        if not found:
            raise ConfigurationError("there is no task to run")
        return found

    def trials(self, tasks: Iterable[Task]) -> list[Trial]:
        """The trials to run: every task once, then once more, up to ``samples`` times.

        Raises:
            ConfigurationError: see ``tasks``; or two tasks have the same name.
        """
        chosen = self.tasks(tasks)
        if len({task.name for task in chosen}) < len(chosen):
            raise ConfigurationError("two tasks have the same name: a run could not be gone on with")
        return [Trial(task=task, sample=sample) for sample in range(self.samples) for task in chosen]


def named(tasks: Sequence[Task], ids: str) -> list[Task]:
    """The tasks whose names, or the ends of whose names, ``ids`` lists, in its order, each once.

    An end that several tasks have in common, as libraries have numbers, is all of them.

    Raises:
        ConfigurationError: one is not there.
    """
    wanted = dict.fromkeys(name.strip() for name in ids.split(","))
    by_name: dict[str, list[Task]] = {}
    for task in tasks:
        for key in {task.name.rpartition("/")[2], task.name}:
            by_name.setdefault(key, []).append(task)
    missing = [name for name in wanted if name not in by_name]
    if missing:
        raise ConfigurationError(f"no such task: {', '.join(missing)}")
    return list({task.name: task for name in wanted for task in by_name[name]}.values())


def fraction_of_each(tasks: Sequence[Task], fraction: float, *, seed: int) -> list[Task]:
    """``fraction`` of each group, to the nearest whole number, at least 1; by ``seed``, in order."""
    groups = _groups(tasks)
    sizes = {name: max(1, round(fraction * len(members))) for name, members in groups.items()}
    return _drawn(tasks, groups, sizes, seed)


def stratified(tasks: Sequence[Task], count: int, *, seed: int) -> list[Task]:
    """``count`` of ``tasks`` in their order, from each group its share (largest remainders), by ``seed``."""
    groups = _groups(tasks)
    exact = {name: count * len(members) / len(tasks) for name, members in groups.items()}
    sizes = {name: int(share) for name, share in exact.items()}
    by_rest = sorted(exact, key=lambda name: (sizes[name] - exact[name], name))
    for name in by_rest[: min(count, len(tasks)) - sum(sizes.values())]:
        sizes[name] += 1
    return _drawn(tasks, groups, sizes, seed)


def _groups(tasks: Sequence[Task]) -> Mapping[str, list[Task]]:
    groups: dict[str, list[Task]] = defaultdict(list)
    for task in tasks:
        groups[task.group].append(task)
    return groups


def _drawn(
    tasks: Sequence[Task], groups: Mapping[str, list[Task]], sizes: Mapping[str, int], seed: int
) -> list[Task]:
    dice = random.Random(seed)  # noqa: S311 - a sample, not a secret
    drawn = {
        task.name
        for name in sorted(groups)
        for task in dice.sample(groups[name], min(sizes[name], len(groups[name])))
    }
    return [task for task in tasks if task.name in drawn]
