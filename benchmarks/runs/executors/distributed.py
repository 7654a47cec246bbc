"""Trials on a Ray cluster, an existing one or one that is started here for the run.

Ray runs a trial anew when its worker or its node dies. What it gives up on becomes a row that says so. A trial
has one row, whatever of it was run twice.
"""

import logging
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from benchmarks.runs.tasks import guarded, lost
from benchmarks.runs.runfile import Row
from benchmarks.runs.tasks import Trial, Work
from bot.errors import ConfigurationError

RETRIES = 9
# Waiting is interrupted now and then, so that Ctrl-C is heard and new nodes are counted in.
POLL_S = 5.0


@contextmanager
def cluster(address: str | None, *, processors: int) -> Iterator[None]:
    """Connected to the cluster at ``address`` (``auto`` finds one here), or to one of our own.

    Raises:
        ConfigurationError: Ray is not installed, or no cluster answers.
    """
    try:
        import ray
    except ImportError as error:
        raise ConfigurationError("--executor ray needs Ray: pip install 'regreen[ray]'") from error
    if ray.is_initialized():  # by whoever calls us, and theirs to end
        yield
        return
    ours = {"num_cpus": processors, "include_dashboard": False}
    place: dict[str, Any] = {"address": address} if address else ours
    try:
        ray.init(**place, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise ConfigurationError(f"no Ray cluster answers at {address or 'this machine'}: {error}") from error
    try:
        yield
    finally:
        ray.shutdown()


def rows(trials: Iterable[Trial], work: Work, *, parallel: int) -> Generator[Row]:
    """The row of each trial as it ends; as many at a time as the cluster has processors, and ``parallel``.

    Inside of ``cluster``. No more are taken from ``trials`` than are being worked on.
    """
    import ray
    from ray.exceptions import RayError

    remote = ray.remote(num_cpus=1, max_retries=RETRIES)(guarded)
    resources: Any = ray.cluster_resources  # which is not typed
    shared = ray.put(work)
    waiting = iter(trials)
    running: dict[Any, Trial] = {}
    since: dict[Any, float] = {}
    try:
        while True:
            room = max(parallel, int(resources().get("CPU", 1)))
            while len(running) < room and (trial := next(waiting, None)) is not None:
                running[remote.remote(shared, trial)] = trial
                since[trial.key] = time.monotonic()
            if not running:
                return
            ended, _ = ray.wait(list(running), num_returns=1, timeout=POLL_S)
            for reference in ended:
                trial = running.pop(reference)
                try:
                    row = ray.get(reference)
                except RayError as error:
                    row = _given_up(trial, error, since[trial.key])
                yield row
    finally:
        for reference in running:
            ray.cancel(reference, force=True)


def _given_up(trial: Trial, error: Exception, since: float) -> Row:
    """A row for what no worker came back from."""
    said = str(error).strip().splitlines() or [""]
    reason = f"lost {1 + RETRIES} times by the cluster: {type(error).__name__}: {said[0]}"
    seconds = time.monotonic() - since
    return {
        "task": trial.task.name,
        "sample": trial.sample,
        "group": trial.task.group,
        **lost(reason, seconds=seconds),
    }
