"""HumanEvalFix."""

from pathlib import Path
from typing import Any

import click

from benchmarks.commands.repairs import repair_all
from benchmarks.datasets.humanevalfix import Protocol, load
from benchmarks.datasets.humanevalplus import HumanEvalPlus
from benchmarks.datasets.records import DATASET, REVISION, dataset_file
from benchmarks.runs.options import FILE, repair_options, run_options
from benchmarks.runs.pins import digest


@click.command()
@click.option(
    "--dataset",
    default=DATASET,
    show_default=True,
    help="The hub's name of the dataset, or a file: JSON lines, gzipped or not, or Parquet.",
)
@click.option(
    "--revision", default=REVISION, show_default=True, help="Of the dataset on the hub: a commit, for a pin."
)
@click.option("--oracle", type=FILE, help="HumanEval+ as JSON lines, gzipped or not: judges what is correct.")
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
    source = dataset_file(dataset, revision)
    given = Protocol(protocol)
    repair_all(
        "humanevalfix",
        load(source, protocol=given),
        options,
        inputs={path.name: digest(path) for path in (source, oracle) if path},
        grader=HumanEvalPlus(source=oracle) if oracle else None,
        configuration={} if given is Protocol.TESTS else {"protocol": given.value},
    )
