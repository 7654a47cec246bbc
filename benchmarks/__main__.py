"""``python -m benchmarks NAME``: measure Regreen, a line of JSON for each task, and a report."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from benchmarks import runfile
from benchmarks.broken import HELD_OUT, SPLITS, FiguresOnly, HiddenTests
from benchmarks.broken import load as load_projects
from benchmarks.cilog import cilog
from benchmarks.execute import execute
from benchmarks.fixkit import TOOL as FIXKIT
from benchmarks.fixkit import Fixkit
from benchmarks.harness import Repair
from benchmarks.humanevalfix import load
from benchmarks.humanevalplus import HumanEvalPlus
from benchmarks.options import FILE, FOLDER, RunOptions, repair_options, run_options
from benchmarks.pins import digest
from benchmarks.plot import plot
from benchmarks.report import label, side_by_side, summary
from benchmarks.seeded import libraries, make, manifest
from benchmarks.seeded.libraries import LIBRARIES
from benchmarks.seeded.mutants import TOOL
from bot import config
from bot.errors import RegreenError
from sandbox.errors import SandboxError
from sandbox.snapshot import take

ERROR = 2


@click.group(context_settings={"show_default": True})
def cli() -> None:
    """Measure Regreen."""


cli.add_command(cilog)


@cli.command()
@click.option("--dataset", required=True, type=FILE, help="HumanEvalFix, Python, as JSON lines.")
@click.option("--oracle", type=FILE, help="HumanEval+ as JSON lines, gzipped or not: judges what is correct.")
@repair_options(time_budget=60.0, test_timeout=5.0)
@run_options()
def humanevalfix(*, dataset: Path, oracle: Path | None, **options: Any) -> None:  # noqa: ANN401
    """Repair HumanEvalFix tasks; the tests are given, executed, and decide what is plausible."""
    run, repair = RunOptions.split(options)
    inputs = {path.name: digest(path) for path in (dataset, oracle) if path}
    execute(
        "humanevalfix",
        run.chosen(load(dataset)),
        Repair(options=repair, grader=HumanEvalPlus(source=oracle) if oracle else None),
        options=run,
        inputs=inputs,
        configuration=repair,
    )


@cli.command()
@click.option("--dataset", required=True, type=FILE, help="HumanEvalFix, Python, as JSON lines.")
@click.option("--oracle", type=FILE, help="HumanEval+ as JSON lines, gzipped or not: judges what is correct.")
@click.option("--time-budget", type=float, default=60.0, help="Seconds a task.")
@click.option("--workers", type=click.IntRange(min=1), default=2)
@click.option("--sandbox", default="auto", help="Where patches are judged; fixkit runs in bubblewrap.")
@click.option("--python", "sandbox_python", help="What they are judged with.")
@run_options()
def fixkit(
    *,
    dataset: Path,
    oracle: Path | None,
    time_budget: float,
    workers: int,
    **options: Any,  # noqa: ANN401
) -> None:
    """Let fixkit (GenProg-style) repair HumanEvalFix tasks, to compare; give the same --sample and --seed."""
    run, judging = RunOptions.split(options)
    work = Fixkit.installed(
        cache=config.load({}).cache_folder / "benchmarks",
        seconds=time_budget,
        workers=workers,
        options=judging,
        grader=HumanEvalPlus(source=oracle) if oracle else None,
    )
    execute(
        "humanevalfix",
        run.chosen(load(dataset)),
        work,
        options=run,
        inputs={path.name: digest(path) for path in (dataset, oracle) if path},
        configuration={"tool": " ".join(FIXKIT), "time_budget": time_budget, "workers": workers, **judging},
    )


@cli.command("seed-bugs")
@click.option(
    "--library",
    "names",
    multiple=True,
    type=click.Choice([library.name for library in LIBRARIES]),
    default=[library.name for library in LIBRARIES],
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
        library = libraries.library(name)
        cache = config.load(options).cache_folder
        settings = config.load({"project": make.source_of(library, cache), **options})
        made = make.seed_bugs(
            library, settings, count=count, seed=seed, say=lambda line: click.echo(line, err=True)
        )
        manifest.write(path, made)
        click.echo(f"{path}: {len(made.kept)} bugs from {made.tried} mutants, {made.tests} tests")


@cli.command()
@click.argument("manifests", nargs=-1, required=True, type=FILE)
@repair_options(time_budget=120.0, test_timeout=10.0)
@run_options()
def seeded(*, manifests: tuple[Path, ...], **options: Any) -> None:  # noqa: ANN401
    """Repair the bugs of MANIFESTS (see seed-bugs), judged by the libraries' own tests.

    Nothing but the text that was there before is held out, so nothing is called correct that is only
    plausible: the report says how many patches give back that text.
    """
    run, repair = RunOptions.split(options)
    sources = config.load({}).cache_folder / "benchmarks" / "libraries"
    execute(
        "seeded",
        run.chosen([bug for path in manifests for bug in manifest.bugs(path, sources=sources)]),
        Repair(options=repair),
        options=run,
        inputs={path.name: digest(path) for path in manifests},
        configuration={**repair, "mutants": ", ".join(TOOL)},
    )


@cli.command()
@click.argument("collection", type=FOLDER, default=Path(__file__).with_name("projects"))
@click.option("--split", type=click.Choice(SPLITS), default=SPLITS[0])
@repair_options(time_budget=60.0, test_timeout=10.0)
@run_options()
def projects(*, collection: Path, split: str, **options: Any) -> None:  # noqa: ANN401
    """Repair the broken projects in COLLECTION by their visible tests; their hidden tests judge."""
    run, repair = RunOptions.split(options)
    work = Repair(options=repair, grader=HiddenTests())
    execute(
        "projects",
        run.chosen(load_projects(collection, split=split)),
        FiguresOnly(work=work) if split == HELD_OUT else work,
        options=run,
        inputs={collection.name: take(collection).digest},
        configuration={**repair, "split": split},
    )


@cli.command()
@click.argument("runs", nargs=-1, required=True, type=FILE)
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write it there.")
@click.option("--plot", "picture", type=click.Path(dir_okay=False, path_type=Path), help="Draw it there.")
def report(*, runs: tuple[Path, ...], output: Path | None, picture: Path | None) -> None:
    """Tables of RUNS, side by side when there are several; the first is what the others are held against."""
    read = {path: runfile.read(path) for path in runs}
    named = {f"{label(run)} ({path.stem})": run for path, run in read.items()}
    parts = [side_by_side(named)] if len(read) > 1 else []
    parts += [
        f"## {name}\n\n{summary(run)}" if len(read) > 1 else summary(run) for name, run in named.items()
    ]
    text = "\n\n".join(parts)
    click.echo(text)
    if output:
        output.write_text(text, "utf-8")
    if picture:
        plot(named, picture)


def main() -> None:
    """Run the command line; an error that is ours is one line."""
    try:
        cli()
    except (RegreenError, SandboxError) as error:
        click.echo(f"benchmarks: {error}", err=True)
        sys.exit(error.exit_code if isinstance(error, RegreenError) else 6)


if __name__ == "__main__":
    main()
