"""Which operators and fix templates find patches, counted over recorded runs."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

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
    """What a name found: runs with a plausible patch of it, those with no other, candidates in vain."""

    name: str
    plausible: int
    alone: int
    vain: int


@dataclass(frozen=True, slots=True)
class Run:
    """A recorded run: its plausible candidates, as the names that made each; those in vain by name."""

    plausible: frozenset[frozenset[str]] = frozenset()
    vain: Mapping[str, int] = field(default_factory=dict)


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
    patched = sum(bool(run.plausible) for run in runs)
    click.echo(f"{len(runs)} runs, {patched} with a patch that passes the tests\n")
    head = ("operator or template", "runs with a plausible patch of it", "alone", "candidates in vain")
    click.echo(table(head, [(use.name, use.plausible, use.alone, use.vain) for use in uses if use.plausible]))
    never = [f"{use.name} ({use.vain})" for use in uses if not use.plausible]
    click.echo(f"\nnever ({len(never)} of {len(uses)}), with candidates in vain: {', '.join(never)}")


def count(runs: Sequence[Run]) -> list[Use]:
    """How often each name of the engine stands in ``runs``, most often first."""
    found = [run.plausible for run in runs if run.plausible]
    plausible = Counter(name for run in found for name in frozenset().union(*run))
    alone = Counter(name for run in found for name in frozenset.intersection(*run))
    vain: Counter[str] = Counter()
    for run in runs:
        vain.update(run.vain)
    names = {operator.name for operator in OPERATORS} | {template.name for template in TEMPLATES} | {SYNTAX}
    uses = [Use(name, plausible[name], alone[name], vain[name]) for name in names]
    return sorted(uses, key=lambda use: (-use.plausible, -use.alone, -use.vain, use.name))


def _runs(directory: Path) -> Iterator[Run]:
    """Each recorded run below ``directory``."""
    for path in sorted(directory.rglob("*.jsonl")):
        with path.open(encoding="utf-8") as lines:
            try:
                run = _read([json.loads(line) for line in lines])
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
                raise ConfigurationError(f"{path} is no recorded run: {error}") from error
        yield run


def _read(events: Sequence[Mapping[str, Any]]) -> Run:
    vain = [event["ruled_out"]["operators"] for event in events if event.get("kind") == "result"]
    counts = {str(name): int(count) for name, count in vain[-1].items()} if vain else {}
    return Run(frozenset(map(_names, filter(_is_found, events))), counts)


def _is_found(event: Mapping[str, Any]) -> bool:
    """Whether the search's candidate passes the tests."""
    return event.get("kind") == "verdict" and event.get("verdict") == "plausible" and not event.get("turn")


def _names(event: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(event["model"].split(PAIR))
