"""What the benchmarks have in common that make cases of libraries, keep them, and repair them."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import click

from benchmarks.libraries.sources import Release, cache_directory
from benchmarks.runs.execute import execute
from benchmarks.runs.options import Command, RunOptions, options, repair_options
from benchmarks.runs.pins import chosen, digest
from benchmarks.runs.runfile import Run
from benchmarks.runs.selection import Selection
from benchmarks.runs.tasks import Task, Work


def case_options(names: Sequence[str], *, least: int, time_budget: float) -> Callable[[Command], Command]:
    """Which cases of which libraries (``names`` by default), and how they are repaired.

    ``least`` is the smallest number of cases a library, ``time_budget`` is in seconds.
    """
    return options(
        click.option("--library", "names", multiple=True, default=names, help="May be repeated."),
        click.option("--cases", "count", default=8, type=click.IntRange(min=least), help="Cases a library."),
        click.option("--seed", default=0),
        click.option("--parallel", default=1, type=click.IntRange(min=1)),
        click.option(
            "--ids",
            default="",
            help="Repair only these cases, by their whole names, into an OUTPUT of their own.",
        ),
        click.option("--make-only", is_flag=True, help="Repair nothing."),
        click.option("--output", required=True, type=click.Path(file_okay=False, path_type=Path)),
        repair_options(time_budget=time_budget, test_timeout=10.0),
    )


@dataclass(slots=True, kw_only=True)
class Cases:
    """What ``case_options`` were given; ``repair`` is of ``regreen fix``. What OUTPUT has already stays."""

    names: tuple[str, ...]
    count: int
    seed: int
    parallel: int
    ids: str
    make_only: bool
    output: Path
    repair: Mapping[str, Any]
    _inputs: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """Take them from the command line's; the directory is made."""
        own = ("names", "count", "seed", "parallel", "ids", "make_only", "output")
        _, repair = RunOptions.split({name: value for name, value in given.items() if name not in own})
        made = cls(**{name: given[name] for name in own}, repair=repair)
        made.output.mkdir(parents=True, exist_ok=True)
        return made

    def manifest(self, library: str, make: Callable[[], Iterable[Mapping[str, Any]]]) -> Path:
        """OUTPUT/NAME.json, which says what each case is; what it says is made where it is not there."""
        path = self.output / f"{library}.json"
        if not path.exists():
            cases = list(make())
            path.write_text(json.dumps({"library": library, "cases": cases}, indent=1) + "\n", "utf-8")
            click.echo(f"{path}: {len(cases)} cases")
        self._inputs[path.name] = digest(path)
        return path

    def run(self, benchmark: str, tasks: Iterable[Task], work: Work, report: Callable[[Run], str]) -> None:
        """Do ``work`` for ``tasks`` into OUTPUT/run.jsonl, unless they are to be made only."""
        if not self.make_only:
            execute(
                benchmark,
                tasks,
                work,
                options=RunOptions(
                    output=self.output / "run.jsonl",
                    resume=True,
                    parallel=self.parallel,
                    selection=Selection(ids=self.ids or None),
                ),
                inputs=self._inputs,
                configuration={**chosen(self.repair), "cases": self.count, "seed": self.seed},
                report=report,
            )


def tree(release: Release) -> Path:
    """The directory with the files of ``release``."""
    source = cache_directory() / "sources" / release.directory_name
    return source if source.exists() else release.lay_out(source)
