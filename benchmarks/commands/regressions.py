"""Releases of libraries with a fault in what the later one changed: make them, repair them."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click
import yaml

from benchmarks import regressions as package
from benchmarks.commands.cases import Cases, case_options, tree
from benchmarks.libraries.environment import prepared
from benchmarks.libraries.sources import Release, cache_directory
from benchmarks.regressions.make import Maker
from benchmarks.regressions.work import Regression, RepairRegression, regressions, shown
from bot.config import sources
from sandbox.snapshot import take

PAIRS: Mapping[str, Mapping[str, Any]] = {
    row["name"]: row
    for row in yaml.safe_load(Path(package.__file__).with_name("releases.yaml").read_text("utf-8"))
}


@click.command("regressions")
@case_options(list(PAIRS), least=1, time_budget=120.0)
def regressions_command(**given: Any) -> None:  # noqa: ANN401
    """Put a fault into what a release changed, and repair it with the release before as base, and alone.

    OUTPUT/NAME.json says what each case is, OUTPUT/run.jsonl what came of it. What is there already stays.
    One failing test function is shown; all tests judge.
    """
    cases = Cases.of(given)
    tasks: list[Regression] = []
    pairs = [(_release(name, "older"), _release(name, "newer")) for name in cases.names]
    for older, newer in pairs:
        path = cases.manifest(newer.name, partial(_made, newer, older, cases))
        tasks += regressions(path, older=older, newer=newer, source=tree(newer))
    work = RepairRegression(options=cases.repair, trajectories=cases.output / "trajectories")
    cases.run("regressions", tasks, work, shown)


def _release(name: str, which: str) -> Release:
    if name not in PAIRS:
        raise click.BadParameter(f"there is no pair of releases of {name}: {', '.join(PAIRS)}")
    return Release(name=name, cache=cache_directory(), **PAIRS[name][which])


def _made(newer: Release, older: Release, given: Cases) -> Iterator[dict[str, Any]]:
    settings = sources.load({**given.repair, "project": tree(newer), "base": "none"})
    with prepared(settings, take(settings.project)) as environment:
        maker = Maker(
            name=newer.name,
            environment=environment,
            older=tree(older),
            count=given.count,
            seed=f"{newer.name} {given.seed}",
            cache=cache_directory(),
            say=lambda line: click.echo(line, err=True),
        )
        yield from maker.cases()
