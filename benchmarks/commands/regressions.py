"""Releases of libraries with a fault in what the later one changed: make them, repair them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import yaml

from benchmarks import regressions as package
from benchmarks.libraries.environment import prepared
from benchmarks.libraries.sources import Release, cache_directory
from benchmarks.regressions.make import Maker
from benchmarks.regressions.work import Regression, RepairRegression, regressions, shown
from benchmarks.runs.execute import execute
from benchmarks.runs.options import RunOptions, repair_options
from benchmarks.runs.pins import chosen, digest
from bot.config import sources
from sandbox.snapshot import take

PAIRS: Mapping[str, Mapping[str, Any]] = {
    row["name"]: row
    for row in yaml.safe_load(Path(package.__file__).with_name("releases.yaml").read_text("utf-8"))
}


@click.command("regressions")
@click.option("--library", "names", multiple=True, type=click.Choice(list(PAIRS)), default=list(PAIRS))
@click.option("--cases", "count", default=8, type=click.IntRange(min=1), help="Cases a library.")
@click.option("--seed", default=0)
@click.option("--parallel", default=1, type=click.IntRange(min=1))
@click.option("--make-only", is_flag=True, help="Repair nothing.")
@click.option("--output", required=True, type=click.Path(file_okay=False, path_type=Path))
@repair_options(time_budget=120.0, test_timeout=10.0)
def regressions_command(  # noqa: PLR0913 - its options
    *,
    names: tuple[str, ...],
    count: int,
    seed: int,
    parallel: int,
    make_only: bool,
    output: Path,
    **given: Any,  # noqa: ANN401
) -> None:
    """Put a fault into what a release changed, and repair it with the release before as base, and alone.

    OUTPUT/NAME.json says what each case is, OUTPUT/run.jsonl what came of it. What is there already stays.
    One failing test function is shown; all tests judge.
    """
    _, options = RunOptions.split(given)
    output.mkdir(parents=True, exist_ok=True)
    tasks: list[Regression] = []
    inputs = {}
    for name in names:
        older, newer = (_release(name, which) for which in ("older", "newer"))
        path, source = output / f"{name}.json", _tree(newer)
        if not path.exists():
            _make(newer, _tree(older), path, count=count, seed=seed, options=options)
        tasks += regressions(path, older=older, newer=newer, source=source)
        inputs[path.name] = digest(path)
    if not make_only:
        execute(
            "regressions",
            tasks,
            RepairRegression(options=options, trajectories=output / "trajectories"),
            options=RunOptions(output=output / "run.jsonl", resume=True, parallel=parallel),
            inputs=inputs,
            configuration={**chosen(options), "cases": count, "seed": seed},
            report=shown,
        )


def _release(name: str, which: str) -> Release:
    return Release(name=name, cache=cache_directory(), **PAIRS[name][which])


def _tree(release: Release) -> Path:
    source = cache_directory() / "sources" / release.directory_name
    return source if source.exists() else release.lay_out(source)


def _make(  # noqa: PLR0913 - what a manifest is made of
    newer: Release, older: Path, path: Path, *, count: int, seed: int, options: dict[str, Any]
) -> None:
    settings = sources.load({**options, "project": _tree(newer), "base": "none"})
    with prepared(settings, take(settings.project)) as environment:
        maker = Maker(
            name=newer.name,
            environment=environment,
            older=older,
            count=count,
            seed=f"{newer.name} {seed}",
            cache=cache_directory(),
            say=lambda line: click.echo(line, err=True),
        )
        cases = list(maker.cases())
    path.write_text(json.dumps({"library": newer.name, "cases": cases}, indent=1) + "\n", "utf-8")
    click.echo(f"{path}: {len(cases)} cases")
