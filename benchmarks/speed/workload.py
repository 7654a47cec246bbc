"""The candidates to judge: what the embedded engine proposes for tasks of HumanEvalFix."""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from benchmarks.datasets.humanevalfix import MODULE, TEST, Task, load
from bot.patch.apply import apply
from bot.search.candidates import candidates
from bot.search.spectra import suspicious_lines
from sandbox.base import SandboxProvider, SandboxSpec
from sandbox.command import PytestCommand
from sandbox.reports import TestTimes
from sandbox.snapshot import Snapshot, take
from sandbox.testing import SandboxTestbeds

LIMIT_S = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """One task with the contents of its module that are to be judged; ``test`` is the failing test's id."""

    task: Task
    snapshot: Snapshot
    test: str
    modules: tuple[str, ...]

    def program(self, module: str) -> str:
        """One text that ends without an exception when ``module`` is right."""
        test = self.task.test.replace("from solution import *\n", "", 1)
        name = self.test.rpartition("::")[2]
        return f"{module}\n{test}\n{name}()\n"


def testbeds(provider: SandboxProvider, spec: SandboxSpec, snapshot: Snapshot) -> SandboxTestbeds:
    """Testbeds for a project whose tests run by plain ``python -m pytest``."""
    times = TestTimes(test_s=5.0)
    return SandboxTestbeds(
        provider=provider, spec=spec, snapshot=snapshot, command=PytestCommand(), times=times
    )


def workloads(
    dataset: Path, provider: SandboxProvider, spec: SandboxSpec, *, tasks: int, candidates_each: int
) -> Iterator[Workload]:
    """Workloads of ``tasks`` tasks, evenly spread over the dataset.

    A candidate that hangs takes its time limit in every way to judge it and would hide the rest: such ones
    are left out, and so are tasks whose test does not fail or hangs by itself.
    """
    everything = list(load(dataset))
    step = max(1, len(everything) // tasks)
    for task in everything[::step][:tasks]:
        with tempfile.TemporaryDirectory() as directory:
            snapshot = take(task.lay_out(Path(directory, "task")))
        with testbeds(provider, spec, snapshot).open() as testbed:
            failing = [
                result for result in testbed.run(timeout_s=LIMIT_S).failing if result.lines is not None
            ]
            if not failing or any(result.status.value == "timeout" for result in failing):
                continue
            traced = testbed.run(tests=[failing[0].test], trace=True, timeout_s=5.0).results
            sources = {MODULE: task.module, TEST: task.test}
            suspicions = suspicious_lines(traced, (), lambda path: path == MODULE)
            modules = []
            for candidate in islice(candidates(sources, suspicions, failing), 2 * candidates_each):
                module = apply(candidate.patch, sources)[MODULE]
                report = testbed.run(
                    tests=[failing[0].test], changes={MODULE: module.encode()}, quick=True, timeout_s=LIMIT_S
                )
                if not any(result.status.value == "timeout" for result in report.results):
                    modules.append(module)
                if len(modules) == candidates_each:
                    break
        yield Workload(task=task, snapshot=snapshot, test=failing[0].test, modules=tuple(modules))
