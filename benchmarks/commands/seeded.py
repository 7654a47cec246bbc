"""Bugs made in real libraries: make them, repair them."""

from pathlib import Path
from typing import Any

import click

from benchmarks.commands.repairs import repair_all
from benchmarks.libraries.sources import cache_directory
from benchmarks.runs.execute import execute
from benchmarks.runs.options import FILE, RunOptions, repair_options, run_options
from benchmarks.runs.pins import chosen, digest
from benchmarks.seeded import make, manifest, proving
from benchmarks.seeded.manifest import LIBRARIES, fetched
from benchmarks.seeded.mutants import TOOL
from bot.config import sources


@click.command("seed-bugs")
@click.option(
    "--library",
    "names",
    multiple=True,
    type=click.Choice(list(LIBRARIES)),
    default=list(LIBRARIES),
    help="May be repeated.",
)
@click.option("--bugs", "count", default=25, type=click.IntRange(min=1), help="Bugs a library.")
@click.option("--seed", default=0)
@click.option("--sandbox", default="auto")
@click.option("--sandbox-image")
@click.option("--test-timeout", type=float, default=10.0, help="Seconds a test.")
@click.option("--output", required=True, type=click.Path(file_okay=False, path_type=Path))
def seed_bugs(*, names: tuple[str, ...], count: int, seed: int, output: Path, **options: Any) -> None:  # noqa: ANN401
    """Seed bugs into real libraries with cosmic-ray: OUTPUT/NAME.json says where each is.

    Kept is what makes one of the library's own tests fail. A manifest that is there already stays.
    """
    for name in names:
        path = output / f"{name}.json"
        if path.exists():
            click.echo(f"{path} is there", err=True)
            continue
        settings = sources.load({"project": fetched(LIBRARIES[name], cache=cache_directory()), **options})
        made = make.seed_bugs(
            LIBRARIES[name], settings, count=count, seed=seed, say=lambda line: click.echo(line, err=True)
        )
        manifest.write(path, made)
        click.echo(f"{path}: {len(made['bugs'])} bugs from {made['tried']} mutants, {made['tests']} tests")


@click.command()
@click.argument("manifests", nargs=-1, required=True, type=FILE)
@repair_options(time_budget=120.0, test_timeout=10.0)
@run_options()
def seeded(*, manifests: tuple[Path, ...], **options: Any) -> None:  # noqa: ANN401
    """Repair the bugs of MANIFESTS (see seed-bugs), judged by the libraries' own tests.

    Nothing but the text that was there before is held out, so nothing is called correct that is only
    plausible: the report says how many patches give back that text.
    """
    repair_all(
        "seeded",
        [bug for path in manifests for bug in manifest.bugs(path, cache=cache_directory())],
        options,
        inputs={path.name: digest(path) for path in manifests},
        configuration={"mutants": ", ".join(TOOL)},
    )


@click.command("prove-patches")
@click.argument("manifests", nargs=-1, required=True, type=FILE)
@repair_options(time_budget=300.0, test_timeout=10.0)
@run_options()
def prove_patches(*, manifests: tuple[Path, ...], **options: Any) -> None:  # noqa: ANN401
    """Judge three patches for each bug of MANIFESTS (see seed-bugs): right, overfitting, hostile."""
    run, repair = RunOptions.split(options)
    bugs = [bug for path in manifests for bug in manifest.bugs(path, cache=cache_directory())]
    execute(
        "prove-patches",
        proving.patches(bugs),
        proving.Proof(options=repair),
        options=run,
        inputs={path.name: digest(path) for path in manifests},
        configuration=chosen(repair),
        report=proving.report,
    )
