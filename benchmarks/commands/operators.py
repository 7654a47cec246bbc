"""Which operators and fix templates find patches, counted over recorded runs."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from benchmarks.markdown import table
from benchmarks.options import DIRECTORY
from bot.errors import ConfigurationError
from bot.search.operators import OPERATORS
from bot.search.templates.registry import TEMPLATES

PAIR = " + "
SYNTAX = "syntax"


@dataclass(frozen=True, slots=True)
class Use:
    """What a name found: runs with a plausible patch of it, and those that had no other."""

    name: str
    plausible: int
    alone: int


@click.command()
@click.argument("trajectories", nargs=-1, required=True, type=DIRECTORY)
def operators(*, trajectories: Sequence[Path]) -> None:
    """Count which operators and fix templates found patches that pass the tests.

    TRAJECTORIES are directories of recorded runs: those that a benchmark writes beside its lines. "alone"
    counts the runs in which no patch passed without it.
    """
    runs = [found for directory in trajectories for found in _runs(directory)]
    if not runs:
        raise ConfigurationError("no recorded run is below these directories: name one *.trajectories")
    uses = count(runs)
    patched = sum(bool(found) for found in runs)
    click.echo(f"{len(runs)} runs, {patched} with a patch that passes the tests\n")
    rows = [(use.name, str(use.plausible), str(use.alone)) for use in uses if use.plausible]
    click.echo(table(("operator or template", "runs with a plausible patch of it", "alone"), rows))
    never = [use.name for use in uses if not use.plausible]
    click.echo(f"\nnever ({len(never)} of {len(uses)}): {', '.join(never)}")


def count(runs: Sequence[frozenset[frozenset[str]]]) -> list[Use]:
    """How often each name of the engine stands in ``runs``, most often first.

    Args:
        runs: for each run the plausible candidates, each as the names of the operators that made it.
    """
    plausible = Counter(name for run in runs for name in frozenset().union(*run))
    alone = Counter(name for run in runs if run for name in frozenset.intersection(*run))
    names = {operator.name for operator in OPERATORS} | {template.name for template in TEMPLATES} | {SYNTAX}
    uses = [Use(name, plausible[name], alone[name]) for name in names]
    return sorted(uses, key=lambda use: (-use.plausible, -use.alone, use.name))


def _runs(directory: Path) -> Iterator[frozenset[frozenset[str]]]:
    """For each recorded run below ``directory`` its plausible candidates."""
    for path in sorted(directory.rglob("*.jsonl")):
        with path.open(encoding="utf-8") as lines:
            try:
                events = [json.loads(line) for line in lines]
            except ValueError as error:
                raise ConfigurationError(f"{path} is no recorded run: {error}") from error
        yield frozenset(
            frozenset(event["model"].split(PAIR))
            for event in events
            if event.get("kind") == "verdict"
            and event.get("verdict") == "plausible"
            and not event.get("turn")
        )
