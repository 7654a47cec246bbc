"""HumanEvalFix: repaired by Regreen, or by fixkit to compare."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from benchmarks.execute import execute
from benchmarks.fixkit import TOOL, Fixkit
from benchmarks.harness import Repair
from benchmarks.hub import DATASET, REVISION, dataset_file
from benchmarks.humanevalfix import Protocol, load
from benchmarks.humanevalplus import HumanEvalPlus
from benchmarks.options import FILE, RunOptions, repair_options, run_options
from benchmarks.pins import chosen, digest, weights
from benchmarks.tasks import Grader
from bot.config import sources

dataset_option = click.option(
    "--dataset",
    default=DATASET,
    show_default=True,
    help="The hub's name of the dataset, or a file: JSON lines, gzipped or not, or Parquet.",
)
revision_option = click.option(
    "--revision", default=REVISION, show_default=True, help="Of the dataset on the hub: a commit, for a pin."
)
oracle_option = click.option(
    "--oracle", type=FILE, help="HumanEval+ as JSON lines, gzipped or not: judges what is correct."
)


@click.command()
@dataset_option
@revision_option
@oracle_option
@click.option(
    "--protocol",
    type=click.Choice([protocol.value for protocol in Protocol]),
    default=Protocol.TESTS.value,
    show_default=True,
    help="What the repair is given. withheld: the docstring and its examples; the tests only judge.",
)
@repair_options(time_budget=60.0, test_timeout=5.0)
@run_options()
def humanevalfix(
    *,
    dataset: str,
    revision: str,
    oracle: Path | None,
    protocol: str,
    **options: Any,  # noqa: ANN401
) -> None:
    """Repair HumanEvalFix tasks; the tests are given and executed, or as --protocol says."""
    run, repair = RunOptions.split(options)
    source = dataset_file(dataset, revision)
    given = Protocol(protocol)
    execute(
        "humanevalfix",
        load(source, protocol=given),
        Repair(
            options=repair,
            grader=_grader(oracle),
            trajectories=run.trajectory_directory,
            seed=run.selection.seed,
        ),
        options=run,
        inputs={**_inputs(source, oracle), **weights(repair)},
        configuration={
            **chosen(repair),
            **({} if given is Protocol.TESTS else {"protocol": given.value}),
        },
    )


@click.command()
@dataset_option
@revision_option
@oracle_option
@click.option("--time-budget", type=float, default=60.0, show_default=True, help="Seconds a task.")
@click.option("--workers", type=click.IntRange(min=1), default=2, show_default=True)
@click.option("--sandbox", default="auto", help="Where patches are judged; fixkit runs in bubblewrap.")
@click.option("--python", "sandbox_python", help="What they are judged with.")
@run_options()
def fixkit(
    *,
    dataset: str,
    revision: str,
    oracle: Path | None,
    time_budget: float,
    workers: int,
    **options: Any,  # noqa: ANN401
) -> None:
    """Let fixkit (GenProg-style) repair HumanEvalFix tasks, to compare: the same ones by the same options."""
    run, judging = RunOptions.split(options)
    source = dataset_file(dataset, revision)
    work = Fixkit.installed(
        cache=sources.load({}).cache_directory / "benchmarks",
        seconds=time_budget,
        workers=workers,
        options=judging,
        grader=_grader(oracle),
    )
    execute(
        "humanevalfix",
        load(source),
        work,
        options=run,
        inputs=_inputs(source, oracle),
        configuration={"tool": " ".join(TOOL), "time_budget": time_budget, "workers": workers, **judging},
    )


def _grader(oracle: Path | None) -> Grader | None:
    return HumanEvalPlus(source=oracle) if oracle else None


def _inputs(*paths: Path | None) -> Mapping[str, str]:
    return {path.name: digest(path) for path in paths if path}
