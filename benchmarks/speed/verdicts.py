"""Verdicts per second: our fork server with one worker and with several, and the other ways."""

import ast
import json
import subprocess
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import TypedDict

from benchmarks.datasets.humanevalfix import MODULE
from benchmarks.runs.tools import printed
from benchmarks.speed.workload import LIMIT_S, Workload, testbeds
from bot.ports import Testbed
from sandbox.base import SandboxProvider, SandboxSpec

PEERS = Path(__file__).with_name("peers.py")


class Judged(TypedDict):
    """What one way took for ``verdicts``, in their order; ``seconds`` are those of judging alone."""

    verdicts: list[bool]
    seconds: float


def ours(provider: SandboxProvider, spec: SandboxSpec, workload: Workload, *, workers: int) -> Judged:
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
    return {"verdicts": verdicts, "seconds": seconds}


def _judge(bed: Testbed, workload: Workload, modules: Sequence[str]) -> list[bool]:
    return [
        bed.run(
            tests=[workload.test], changes={MODULE: module.encode()}, quick=True, timeout_s=LIMIT_S
        ).proves({workload.test})
        for module in modules
    ]


def peer(way: str, python: str, workload: Workload, *, sample: int | None = None) -> Judged:
    """One of the ways in ``peers``, on every candidate or on the first ``sample``."""
    programs = [workload.program(module) for module in workload.modules[:sample]]
    order = json.dumps({"imports": _imports(workload), "programs": programs})
    judged: Judged = json.loads(printed(way, [python, "-I", str(PEERS), way], sent=order))
    return judged


def docker_run(image: str, python: str, workload: Workload, *, sample: int) -> Judged:
    """A container for each candidate, as the command line of Docker makes it."""
    argv = ["docker", "run", "--rm", "-i", "--network", "none", image, python, "-"]
    programs = [workload.program(module).encode() for module in workload.modules[:sample]]
    started = time.perf_counter()
    done = [subprocess.run(argv, input=one, capture_output=True, check=False) for one in programs]
    seconds = time.perf_counter() - started
    return {"verdicts": [one.returncode == 0 for one in done], "seconds": seconds}


def _imports(workload: Workload) -> list[str]:
    tree = ast.parse(workload.program(workload.task.module))
    kinds = (ast.Import, ast.ImportFrom)
    return [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, kinds)]
