"""Run a benchmark: what was done before is skipped, each row is written as it comes, a report closes it."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict

import click

from benchmarks.runs import runfile
from benchmarks.runs.executors import distributed, local
from benchmarks.runs.tasks import CRASHED
from benchmarks.runs.options import RunOptions
from benchmarks.runs.pins import header
from benchmarks.runs.progress import Tally, display
from benchmarks.reports.report import BULKY, summary
from benchmarks.runs.runfile import Row, Run
from benchmarks.runs.selection import Selection
from benchmarks.runs.tasks import Key, Task, Trial, Work
from bot.errors import MachineError

# So many first tasks that crash in the same way are no accident.
FUTILE = 3


def execute(  # noqa: PLR0913 - what a run is made of, each by its name
    benchmark: str,
    tasks: Iterable[Task],
    work: Work,
    *,
    options: RunOptions,
    inputs: Mapping[str, str],
    configuration: Mapping[str, object],
    report: Callable[[Run], str] = summary,
    tally: Callable[[], Tally] = Tally,
) -> Run:
    """Run what ``options`` choose of ``tasks`` through ``work``, and print what ``report`` makes of it.

    ``tally`` is what counts the rows while it goes on.

    The rows go to ``options.output``, or to standard output. Ended by Ctrl-C, the file stays valid.

    Returns:
        The run, its rows without what is bulky.

    Raises:
        OSError: the file cannot be written.
        ConfigurationError: the file holds another run, or there is no task to run.
    """
    trials = options.selection.trials(tasks)
    head = header(
        benchmark,
        inputs=inputs,
        configuration={
            **configuration,
            **_selected(options.selection),
            "parallel": options.parallel,
            "tasks": len(trials) // options.selection.samples,
        },
        shard=str(options.shard or ""),
    )
    if options.shard:
        trials = trials[options.shard.number - 1 :: options.shard.count]
    ended = _run(head, trials, work, options, tally())
    click.echo(report(ended))
    return ended


def _selected(selection: Selection) -> Mapping[str, object]:
    """What is special about ``selection``."""
    values = asdict(selection)
    return {name: values[name] for name, usual in asdict(Selection()).items() if values[name] != usual}


def _run(head: Row, trials: Sequence[Trial], work: Work, options: RunOptions, tally: Tally) -> Run:
    done: list[Row] = []
    with ExitStack() as resources:
        kept = options.output and runfile.write(options.output, head, resume=options.resume)
        writer = resources.enter_context(kept) if kept else None
        shown = resources.enter_context(display(len(trials), tally))
        before: set[Key] = set()
        for row in runfile.rows(options.output) if options.output else ():
            before.add(Key.of(row))
            shown.skip(row)
        left = [trial for trial in trials if trial.key not in before]
        for row in not_in_vain(_rows(left, work, options)):
            if writer:
                writer.add(row)
            else:
                click.echo(json.dumps(row))
                done.append({name: value for name, value in row.items() if name not in BULKY})
            shown.show(row)
    return runfile.read(options.output, without=BULKY) if options.output else Run(header=head, rows=tuple(done))


def _rows(trials: Iterable[Trial], work: Work, options: RunOptions) -> Iterator[Row]:
    parallel = options.parallel
    with ExitStack() as resources:
        if options.executor == "ray":
            resources.enter_context(distributed.cluster(options.ray_address, processors=parallel))
        run = distributed.rows if options.executor == "ray" else local.rows
        yield from resources.enter_context(closing(run(trials, work, parallel=parallel)))


def not_in_vain(found: Iterator[Row]) -> Iterator[Row]:
    """``found``, unless it begins with nothing but one fault of ours: no sandbox, no model, no key.

    Those are no measurement, and a run that holds them could not be gone on with.

    Raises:
        MachineError: the first ones all crashed, for one reason.
    """
    first: list[Row] = []
    for row in found:
        first.append(row)
        if row["outcome"] != CRASHED or len(first) == FUTILE:
            break
    reasons = {row["reason"] for row in first if row["outcome"] == CRASHED}
    if len(first) == FUTILE and len(reasons) == 1 and first[-1]["outcome"] == CRASHED:
        raise MachineError(f"the first {FUTILE} tasks ended alike, nothing was measured: {reasons.pop()}")
    yield from first
    yield from found
