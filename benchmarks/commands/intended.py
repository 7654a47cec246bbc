"""Changes that are intended and faults that look the same: make them, repair them."""

import json
from pathlib import Path
from typing import Any

import click

from benchmarks.intended.make import Maker, as_edits
from benchmarks.intended.work import PullRequest, RepairCase, pull_requests, shown
from benchmarks.libraries.catalogue import items
from benchmarks.libraries.environment import prepared
from benchmarks.libraries.sources import Release, cache_directory
from benchmarks.runs.execute import execute
from benchmarks.runs.options import RunOptions, repair_options
from benchmarks.runs.pins import chosen, digest
from benchmarks.seeded.manifest import LIBRARIES
from bot.config import sources
from bot.patch.text import decode
from sandbox.snapshot import take

NAMES = ("boltons", "humanize", "click", "marshmallow", "jinja2", "tabulate", "packaging", "structlog")
"""The first half was seen while the rules were written; the second half was not."""


@click.command("intended-changes")
@click.option("--library", "names", multiple=True, default=NAMES, help="May be repeated.")
@click.option(
    "--cases", "count", default=8, type=click.IntRange(min=2), help="A library, half of them faults."
)
@click.option("--seed", default=0)
@click.option("--parallel", default=1, type=click.IntRange(min=1))
@click.option("--make-only", is_flag=True, help="Repair nothing.")
@click.option("--output", required=True, type=click.Path(file_okay=False, path_type=Path))
@repair_options(time_budget=60.0, test_timeout=10.0)
def intended_changes(  # noqa: PLR0913 - its options
    *,
    names: tuple[str, ...],
    count: int,
    seed: int,
    parallel: int,
    make_only: bool,
    output: Path,
    **given: Any,  # noqa: ANN401
) -> None:
    """Change libraries on purpose or by fault, and see which failing tests are called outdated.

    OUTPUT/NAME.json says what each case is, OUTPUT/run.jsonl what came of it. What is there already stays.
    """
    _, options = RunOptions.split(given)
    output.mkdir(parents=True, exist_ok=True)
    tasks: list[PullRequest] = []
    inputs = {}
    for name in names:
        release, path = _release(name), output / f"{name}.json"
        if not path.exists():
            _make(release, path, count=count, seed=seed, options=options)
        tasks += pull_requests(path, release)
        inputs[path.name] = digest(path)
    if not make_only:
        execute(
            "intended-changes",
            tasks,
            RepairCase(options=options),
            options=RunOptions(output=output / "run.jsonl", resume=True, parallel=parallel),
            inputs=inputs,
            configuration={**chosen(options), "cases": count, "seed": seed},
            report=shown,
        )


def _release(name: str) -> Release:
    cache = cache_directory()
    if one := LIBRARIES.get(name):
        return Release(name=name, version=one.version, sha256=one.sha256, cache=cache)
    found = {one.name: one.source for one in items(cache=cache)}.get(name)
    if not isinstance(found, Release):
        raise click.BadParameter(f"there is no library {name} in the catalogue")
    return found


def _make(release: Release, path: Path, *, count: int, seed: int, options: dict[str, Any]) -> None:
    source = cache_directory() / "sources" / release.directory_name
    project = source if source.exists() else release.lay_out(source)
    settings = sources.load({**options, "project": project})
    with prepared(settings, take(settings.project)) as environment:
        texts = {name: decode(data) for name, data in environment.snapshot.files.items()}
        maker = Maker(
            library=release.name,
            environment=environment,
            count=count,
            seed=f"{release.name} {seed}",
            say=lambda line: click.echo(line, err=True),
        )
        cases = [as_edits(case, texts) for case in maker.cases()]
    path.write_text(json.dumps({"library": release.name, "cases": cases}, indent=1) + "\n", "utf-8")
    click.echo(f"{path}: {len(cases)} cases")
