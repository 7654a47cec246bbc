"""``python -m benchmarks.nodes``: two simulated nodes of a Ray cluster, one of which is killed in mid-run.

The rows have to be those of a run on this machine, each once. Then the same tasks on one node and on two, to
see what a second one is worth.
"""

import logging
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from benchmarks.executors import distributed, local
from benchmarks.invented import Invented, Pretence
from benchmarks.runfile import Row
from benchmarks.tasks import Key, Trial


@contextmanager
def nodes(count: int) -> Iterator[list[Any]]:
    """A cluster of ``count`` nodes with a processor each, beside a head that has none; connected to it."""
    import ray
    from ray.cluster_utils import Cluster

    cluster: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    try:
        added = [cluster.add_node(num_cpus=1) for _ in range(count)]
        ray.init(address=cluster.address, log_to_driver=False, logging_level=logging.ERROR)
        cluster.wait_for_nodes()
        yield [cluster, *added]
    finally:
        ray.shutdown()
        cluster.shutdown()


def trials(count: int) -> list[Trial]:
    """Made-up ones."""
    return [Trial(task=Invented(number=number)) for number in range(count)]


def with_a_node_lost(count: int, *, task_seconds: float, after: int) -> list[Row]:
    """The rows of ``count`` trials on two nodes, one of which dies after so many rows."""
    found: list[Row] = []
    with nodes(2) as (cluster, doomed, _other):
        for row in distributed.rows(trials(count), Pretence(seconds=task_seconds), parallel=2):
            found.append(row)
            if len(found) == after:
                cluster.remove_node(doomed, allow_graceful=False)
    return found


def on_one_machine(count: int) -> list[Row]:
    """The same rows, in the order of their tasks."""
    return list(local.rows(trials(count), Pretence(), parallel=1))


def in_order(rows: list[Row]) -> list[Row]:
    """``rows`` by their keys."""
    return sorted(rows, key=Key.of)


def seconds(count: int, *, workers: int, task_seconds: float) -> float:
    """How long ``count`` trials take on ``workers`` nodes, once these are warm."""
    work = Pretence(seconds=task_seconds)
    with nodes(workers):
        list(distributed.rows(trials(2 * workers), work, parallel=workers))
        started = time.perf_counter()
        list(distributed.rows(trials(count), work, parallel=workers))
        return time.perf_counter() - started


@click.command()
@click.option("--count", default=60, show_default=True)
@click.option("--task-seconds", default=0.2, show_default=True)
def main(*, count: int, task_seconds: float) -> None:
    """Exit status: 0 the same rows in spite of the loss, 1 not."""
    rows = with_a_node_lost(count, task_seconds=task_seconds, after=count // 3)
    same = in_order(rows) == on_one_machine(count)
    click.echo(
        f"{len(rows)} rows with one of two nodes killed after {count // 3}: same as on one machine: {same}"
    )
    one, two = (seconds(count, workers=workers, task_seconds=task_seconds) for workers in (1, 2))
    click.echo(
        f"{count} tasks of {task_seconds} s: {one:.1f} s on one worker, {two:.1f} s on two, "
        f"{one / two:.2f} times as fast"
    )
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
