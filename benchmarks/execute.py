"""Run a benchmark: what was done before is skipped, each row is written as it comes, a report closes it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing

import click

from benchmarks import runfile
from benchmarks.harness import Task, rows
from benchmarks.options import RunOptions
from benchmarks.pins import header
from benchmarks.report import summary
from benchmarks.runfile import Row, Run


def execute(  # noqa: PLR0913 - what a run is made of, each by its name
    benchmark: str,
    tasks: Sequence[Task],
    work: Callable[[Task], Row],
    *,
    options: RunOptions,
    inputs: Mapping[str, str],
    configuration: Mapping[str, object],
) -> Run:
    """Run ``tasks`` through ``work``, and print the report.

    The rows go to ``options.output``, or to standard output. Ended by Ctrl-C, the file stays valid.

    Raises:
        OSError: the file cannot be written.
        ConfigurationError: the file holds another run.
    """
    names = [task.name for task in tasks]
    head = header(
        benchmark,
        inputs=inputs,
        configuration={**configuration, "parallel": options.parallel, "tasks": len(names)},
    )
    done: list[Row] = []
    if options.output is None:
        for row in _told(_rows(tasks, work, options), len(names), done):
            click.echo(json.dumps(row))
            done.append(row)
    else:
        with runfile.write(options.output, head, resume=options.resume) as run:
            done += run.done
            before = {row["task"] for row in done}
            left = [task for task in tasks if task.name not in before]
            for row in _told(_rows(left, work, options), len(names), done):
                run.add(row)
                done.append(row)
    ended = Run(header=head, rows=tuple(done))
    click.echo(summary(ended))
    return ended


def _rows(tasks: Iterable[Task], work: Callable[[Task], Row], options: RunOptions) -> Iterator[Row]:
    with closing(rows(tasks, work, parallel=options.parallel)) as found:
        yield from found


def _told(found: Iterator[Row], total: int, done: Sequence[Row]) -> Iterator[Row]:
    """Pass on what was found, with a line on standard error for each."""
    for row in found:
        verdict = "correct" if row.get("correct") else "plausible" if row["plausible"] else row["outcome"]
        plausible = sum(bool(other["plausible"]) for other in (*done, row))
        number = len(done) + 1
        line = (
            f"{number:4d}/{total} {row['task']}: {verdict}, {row['seconds']:.1f} s "
            f"({plausible} of {number} plausible)"
        )
        sys.stderr.write(line + "\n")
        yield row
