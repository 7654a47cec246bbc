"""``python -m benchmarks humanevalfix --dataset FILE``: repair tasks one by one, a JSON line for each."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import click

from benchmarks.humanevalfix import Task, load
from bot import compose, config
from bot.delivery.report import as_json
from bot.patch.diff import changed_lines
from bot.patch.text import decode


class Quiet:
    """``ports.Progress`` that says nothing: the JSON lines are the progress."""

    def stage(self, name: str, detail: str = "") -> None:
        """See ``ports.Progress``."""

    def tick(self, *, attempts: int, detail: str = "") -> None:
        """See ``ports.Progress``."""


@click.group()
def cli() -> None:
    """Measure Regreen."""


@cli.command()
@click.option("--dataset", required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--ids", help="Tasks to run, such as 3,17; all by default.")
@click.option("--limit", type=click.IntRange(min=1), help="The first N of them only.")
@click.option("--strategy", default="search", show_default=True)
@click.option("--model")
@click.option("--sandbox", default="auto", show_default=True)
@click.option("--sandbox-image")
@click.option("--python")
@click.option("--time-budget", type=float, default=60.0, show_default=True, help="Seconds a task.")
@click.option("--test-timeout", type=float, default=5.0, show_default=True, help="Seconds a test.")
@click.option("--output", type=click.Path(path_type=Path), help="Append the JSON lines there as well.")
def humanevalfix(
    *,
    dataset: Path,
    ids: str | None,
    limit: int | None,
    output: Path | None,
    **options: Any,  # noqa: ANN401
) -> None:
    """Repair HumanEvalFix tasks; the tests are given, executed, and decide what counts as repaired."""
    wanted = {f"Python/{number}" for number in ids.split(",")} if ids else None
    chosen = (task for task in load(dataset) if wanted is None or task.name in wanted)
    repaired = total = 0
    for row in _run(islice(chosen, limit), options):
        total += 1
        repaired += row["outcome"] == "patched"
        line = json.dumps(row)
        print(line, flush=True)
        if output:
            with output.open("a", encoding="utf-8") as sink:
                sink.write(line + "\n")
    print(f"plausible: {repaired} of {total}")


def _run(tasks: Iterable[Task], options: dict[str, Any]) -> Iterable[dict[str, Any]]:
    with tempfile.TemporaryDirectory(prefix="regreen-bench-") as folder:
        for task in tasks:
            project = task.lay_out(Path(folder, task.name.replace("/", "-")))
            repaired = compose.fix(config.load({"project": project, **options}), Quiet())
            result = repaired.result
            sources = {path: decode(data) for path, data in repaired.snapshot.files.items()}
            yield {
                "task": task.name,
                "bug_type": task.bug_type,
                **as_json(result),
                "changed_lines": changed_lines(result.patch, sources) if result.patch else None,
            }


if __name__ == "__main__":
    cli()
