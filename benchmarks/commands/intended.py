"""Changes that are intended and faults that look the same: make them, repair them."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import click

from benchmarks.commands.cases import Cases, case_options, tree
from benchmarks.intended.make import Maker, as_edits
from benchmarks.intended.work import PullRequest, RepairCase, pull_requests, shown
from benchmarks.libraries.catalogue import items
from benchmarks.libraries.environment import prepared
from benchmarks.libraries.sources import Release, cache_directory
from benchmarks.seeded.manifest import LIBRARIES
from bot.config import sources
from bot.patch.text import decode
from sandbox.snapshot import take

NAMES = ("boltons", "humanize", "click", "marshmallow", "jinja2", "tabulate", "packaging", "structlog")
"""The first half was seen while the rules were written; the second half was not."""


@click.command("intended-changes")
@case_options(NAMES, least=2, time_budget=60.0)
def intended_changes(**given: Any) -> None:  # noqa: ANN401
    """Change libraries on purpose or by fault, and see which failing tests are called outdated.

    Every other case is a fault. OUTPUT/NAME.json says what each case is, OUTPUT/run.jsonl what came of it.
    What is there already stays.
    """
    cases = Cases.of(given)
    tasks: list[PullRequest] = []
    for release in list(map(_release, cases.names)):
        tasks += pull_requests(cases.manifest(release.name, partial(_made, release, cases)), release)
    cases.run("intended-changes", tasks, RepairCase(options=cases.repair), shown)


def _release(name: str) -> Release:
    cache = cache_directory()
    if one := LIBRARIES.get(name):
        return Release(name=name, version=one.version, sha256=one.sha256, cache=cache)
    found = {one.name: one.source for one in items(cache=cache)}.get(name)
    if not isinstance(found, Release):
        raise click.BadParameter(f"there is no library {name} in the catalogue")
    return found


def _made(release: Release, given: Cases) -> Iterator[dict[str, object]]:
    settings = sources.load({**given.repair, "project": tree(release)})
    with prepared(settings, take(settings.project)) as environment:
        texts = {name: decode(data) for name, data in environment.snapshot.files.items()}
        maker = Maker(
            library=release.name,
            environment=environment,
            count=given.count,
            seed=f"{release.name} {given.seed}",
            say=lambda line: click.echo(line, err=True),
        )
        yield from (as_edits(case, texts) for case in maker.cases())
