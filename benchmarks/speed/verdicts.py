"""Verdicts per second: our fork server with one worker and with several, and the other ways."""

from __future__ import annotations

import ast
import json
import subprocess
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from benchmarks.datasets.humanevalfix import MODULE
from benchmarks.speed.workload import LIMIT_S, Workload, testbeds
from bot.ports import Testbed
from sandbox.base import SandboxProvider, SandboxSpec

PEERS = Path(__file__).with_name("peers.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What one way took for ``verdicts``, in their order; ``seconds`` are those of judging alone."""

    way: str
    verdicts: tuple[bool, ...]
    seconds: float

    @property
    def rate(self) -> float:
        """Verdicts a second."""
        return len(self.verdicts) / self.seconds

    def plus(self, other: Measured) -> Measured:
        """Both together."""
        return Measured(
            way=self.way, verdicts=self.verdicts + other.verdicts, seconds=self.seconds + other.seconds
        )


def ours(
    way: str, provider: SandboxProvider, spec: SandboxSpec, chosen: Sequence[Workload], *, workers: int
) -> Measured:
    """Quick verdicts from ``workers`` sandboxes at a time, each sandbox opened and tried out beforehand."""
    verdicts: list[bool] = []
    seconds = 0.0
    for workload in chosen:
        with ExitStack() as stack, ThreadPoolExecutor(workers) as pool:
            factory = testbeds(provider, spec, workload.snapshot)
            beds = [stack.enter_context(factory.open()) for _ in range(workers)]
            for bed in beds:
                bed.run()
                bed.run(tests=[workload.test], quick=True)
            started = time.perf_counter()
            shares = [
                pool.submit(_judge, bed, workload, workload.modules[number::workers])
                for number, bed in enumerate(beds)
            ]
            done = [share.result() for share in shares]
            seconds += time.perf_counter() - started
            verdicts += _woven(done)
    return Measured(way=way, verdicts=tuple(verdicts), seconds=seconds)


def _judge(bed: Testbed, workload: Workload, modules: Sequence[str]) -> list[bool]:
    return [
        bed.run(
            tests=[workload.test], changes={MODULE: module.encode()}, quick=True, timeout_s=LIMIT_S
        ).proves({workload.test})
        for module in modules
    ]


def _woven(shares: list[list[bool]]) -> Iterator[bool]:
    for number in range(max(map(len, shares))):
        for share in shares:
            if number < len(share):
                yield share[number]


def peer(way: str, name: str, python: str, chosen: Sequence[Workload], *, sample: int = 0) -> Measured:
    """One of the ways in ``peers``, called ``name``, on every candidate or on ``sample`` of each task."""
    lines = []
    for workload in chosen:
        modules = workload.modules[: sample or None]
        programs = [workload.program(module) for module in modules]
        lines.append(json.dumps({"imports": _imports(workload), "programs": programs}))
    argv = [python, "-I", str(PEERS), way]
    done = subprocess.run(argv, input="\n".join(lines), capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    verdicts = tuple(verdict for answer in answers for verdict in answer["verdicts"])
    return Measured(way=name, verdicts=verdicts, seconds=sum(answer["seconds"] for answer in answers))


def docker_run(name: str, image: str, python: str, chosen: Sequence[Workload], *, sample: int) -> Measured:
    """A container for each candidate, as the command line of Docker makes it."""
    argv = ["docker", "run", "--rm", "-i", "--network", "none", image, python, "-"]
    verdicts: list[bool] = []
    seconds = 0.0
    for workload in chosen:
        for module in workload.modules[:sample]:
            program = workload.program(module).encode()
            started = time.perf_counter()
            done = subprocess.run(argv, input=program, capture_output=True, check=False)
            seconds += time.perf_counter() - started
            verdicts.append(done.returncode == 0)
    return Measured(way=name, verdicts=tuple(verdicts), seconds=seconds)


def _imports(workload: Workload) -> list[str]:
    tree = ast.parse(workload.program(workload.task.module))
    kinds = (ast.Import, ast.ImportFrom)
    return [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, kinds)]
