"""Verdicts per second: our fork server with one worker and with several, and the other ways."""

from __future__ import annotations

import ast
import json
import subprocess
import time
from collections.abc import Sequence
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
    way: str, provider: SandboxProvider, spec: SandboxSpec, workload: Workload, *, workers: int
) -> Measured:
    """Quick verdicts from ``workers`` sandboxes at a time, each sandbox opened and tried out beforehand."""
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
        seconds = time.perf_counter() - started
    verdicts = [done[number % workers][number // workers] for number in range(len(workload.modules))]
    return Measured(way=way, verdicts=tuple(verdicts), seconds=seconds)


def _judge(bed: Testbed, workload: Workload, modules: Sequence[str]) -> list[bool]:
    return [
        bed.run(
            tests=[workload.test], changes={MODULE: module.encode()}, quick=True, timeout_s=LIMIT_S
        ).proves({workload.test})
        for module in modules
    ]


def peer(way: str, name: str, python: str, workload: Workload, *, sample: int | None = None) -> Measured:
    """One of the ways in ``peers``, called ``name``, on every candidate or on the first ``sample``."""
    programs = [workload.program(module) for module in workload.modules[:sample]]
    done = subprocess.run(
        [python, "-I", str(PEERS), way],
        input=json.dumps({"imports": _imports(workload), "programs": programs}),
        capture_output=True,
        text=True,
        check=True,
    )
    answer = json.loads(done.stdout)
    return Measured(way=name, verdicts=tuple(answer["verdicts"]), seconds=answer["seconds"])


def docker_run(name: str, image: str, python: str, workload: Workload, *, sample: int) -> Measured:
    """A container for each candidate, as the command line of Docker makes it."""
    argv = ["docker", "run", "--rm", "-i", "--network", "none", image, python, "-"]
    programs = [workload.program(module).encode() for module in workload.modules[:sample]]
    started = time.perf_counter()
    done = [subprocess.run(argv, input=one, capture_output=True, check=False) for one in programs]
    seconds = time.perf_counter() - started
    return Measured(way=name, verdicts=tuple(one.returncode == 0 for one in done), seconds=seconds)


def _imports(workload: Workload) -> list[str]:
    tree = ast.parse(workload.program(workload.task.module))
    kinds = (ast.Import, ast.ImportFrom)
    return [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, kinds)]
