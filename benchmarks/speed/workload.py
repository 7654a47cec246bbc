"""The candidates to judge: what the embedded engine proposes for tasks of HumanEvalFix."""

import tempfile
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from benchmarks.datasets.humanevalfix import MODULE, TEST, Task
from bot.patch.apply import apply
from bot.search.candidates import candidates as listed
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


def workload_of(
    task: Task, provider: SandboxProvider, spec: SandboxSpec, *, candidates: int
) -> Workload | None:
    """The workload of ``task``; None where its test does not fail, or hangs by itself.

    A candidate that hangs takes its time limit in every way to judge it and would hide the rest: such ones
    are left out.
    """
    with tempfile.TemporaryDirectory() as directory:
        snapshot = take(task.lay_out(Path(directory, "task")))
    with testbeds(provider, spec, snapshot).open() as testbed:
        failing = [result for result in testbed.run(timeout_s=LIMIT_S).failing if result.lines is not None]
        if not failing or any(result.status.value == "timeout" for result in failing):
            return None
        test = failing[0].test
        traced = testbed.run(tests=[test], trace=True, timeout_s=5.0).results
        sources = {MODULE: task.module, TEST: task.test}
        suspicions = suspicious_lines(traced, (), lambda path: path == MODULE)
        modules: list[str] = []
        for candidate in islice(listed(sources, suspicions, failing), 2 * candidates):
            module = apply(candidate.patch, sources)[MODULE]
            changes = {MODULE: module.encode()}
            report = testbed.run(tests=[test], changes=changes, quick=True, timeout_s=LIMIT_S)
            if not any(result.status.value == "timeout" for result in report.results):
                modules.append(module)
            if len(modules) == candidates:
                break
    return Workload(task=task, snapshot=snapshot, test=test, modules=tuple(modules))
