"""``python tests/run_mutants.py cilog --count 200 --seed 0``: would the tests notice? See ``mutation``.

Run it from a clone that nobody edits.
"""

from __future__ import annotations

import difflib
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import click
from mutation.draw import drawn, function_lines
from mutation.trial import ROOT, Clean, attempt, clean

from benchmarks.seeded.mutants import Mutant
from bot import config

POLICY = {"content", "globs", "names", "policy", "protected", "special_cases", "syntax"}
PATCH_TESTS = ["tests/unit/patch", *sorted(str(path) for path in Path("tests/property").glob("test_patch_*"))]
CILOG_TESTS = ["tests/unit/cilog", "tests/golden/cilog", "tests/property/test_cilog_properties.py"]
GROUPS = {"patch": PATCH_TESTS, "policy": PATCH_TESTS, "cilog": CILOG_TESTS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One mutant, and what became of it."""

    path: str
    line: int
    operator: str
    change: list[str]  # the lines as they were, with -, and as they became, with +
    verdict: str
    by: str  # the first test that failed
    tests: int  # that run the function
    seconds: float  # of processor time


@click.command()
@click.argument("groups", nargs=-1, required=True, type=click.Choice(list(GROUPS)))
@click.option("--count", default=200, show_default=True, help="Mutants of each group.")
@click.option("--seed", default="0", show_default=True, help="The same seed gives the same mutants.")
@click.option("--output", type=click.Path(path_type=Path), help="A line of JSON for each mutant.")
@click.option("--only", default="", help="Only modules whose path holds this.")
def main(*, groups: tuple[str, ...], count: int, seed: str, output: Path | None, only: str) -> None:
    """Mutate the modules of each group and run the tests of their package on each mutant."""
    cache = config.load({}).cache_folder / "benchmarks"
    cleaned: dict[str, Clean] = {}
    for group in groups:
        texts = {path: (ROOT / path).read_text("utf-8") for path in _modules(group) if only in path}
        key = " ".join(GROUPS[group])
        known = cleaned[key] = cleaned.get(key) or clean(GROUPS[group])
        _control(known, *next(iter(texts.items())))
        rows = []
        for mutant in drawn(texts, seed=seed, count=count, cache=cache):
            rows.append(_tried(mutant, texts[mutant.path], known))
            _show(rows[-1])
            if output:
                with output.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(rows[-1])) + "\n")
        click.echo(f"{group}: {len(rows)} mutants, {dict(Counter(row.verdict for row in rows))}")


def _control(known: Clean, path: str, text: str) -> None:
    ended = attempt(known.seconds.keys(), known=known, path=path, text=text)
    if ended.verdict != "survived":
        sys.exit(f"a fork fails on the unchanged code: {ended}")
    click.echo(f"{len(known.seconds)} tests; a fork runs all in {ended.seconds:.1f} s", err=True)


def _modules(group: str) -> Iterator[str]:
    """The paths of the group's modules."""
    package = "cilog" if group == "cilog" else "patch"
    for path in sorted((ROOT / "bot" / package).glob("*.py")):
        if package == "cilog" or (path.stem in POLICY) == (group == "policy"):
            yield str(path.relative_to(ROOT))


def _tried(mutant: Mutant, before: str, known: Clean) -> Row:
    after = mutant.apply(before)
    line = before.count("\n", 0, mutant.start) + 1
    chosen = known.running(mutant.path, function_lines(before, line))
    ended = attempt(chosen, known=known, path=mutant.path, text=after) if chosen else None
    diff = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    return Row(
        path=mutant.path,
        line=line,
        operator=mutant.operator.rpartition("/")[2],
        change=[text for text in diff if text[0] in "+-" and not text.startswith(("+++", "---"))],
        verdict=ended.verdict if ended else "survived",
        by=ended.failed if ended else "",
        tests=len(chosen),
        seconds=ended.seconds if ended else 0.0,
    )


def _show(row: Row) -> None:
    place = f"{row.path}:{row.line} {row.operator}"
    click.echo(f"{row.verdict:9} {row.seconds:5.2f} s {place} {row.by}", err=True)
    if row.verdict == "survived":
        click.echo("\n".join(f"          {text}" for text in row.change), err=True)


if __name__ == "__main__":
    main()
