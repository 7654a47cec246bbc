"""``python tests/run_mutants.py patch --count 200 --seed 0``: would the tests notice? See ``mutation``.

Run it from a clone that nobody edits.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from mutation.draw import drawn
from mutation.trial import ROOT, Trial, Trials

POLICY = {
    *("content", "globs", "hidden", "imports", "modules", "names", "policy", "protected", "scopes"),
    *("special_cases", "syntax", "uses"),
}
PATCH_TESTS = ["tests/unit/patch", *sorted(str(path) for path in Path("tests/property").glob("test_patch_*"))]
CILOG_TESTS = ["tests/unit/cilog", "tests/golden/cilog", "tests/property/test_cilog_properties.py"]
POLICY_TESTS = sorted(str(path) for path in Path("tests/unit/patch").glob("test_patch_policy*"))
GROUPS = {"patch": PATCH_TESTS, "policy": POLICY_TESTS, "cilog": CILOG_TESTS}


@click.command()
@click.argument("group", type=click.Choice(list(GROUPS)))
@click.option("--count", default=200, show_default=True, help="Mutants.")
@click.option("--seed", default="0", show_default=True, help="The same seed gives the same mutants.")
@click.option("--output", type=click.Path(path_type=Path), help="A line of JSON for each mutant.")
def main(*, group: str, count: int, seed: str, output: Path | None) -> None:
    """Mutate the modules of a group; run the tests of their package that run the mutated function."""
    texts = {path: (ROOT / path).read_text("utf-8") for path in _modules(group)}
    trials: list[Trial] = []

    def report(trial: Trial) -> None:
        trials.append(trial)
        _show(trial, texts[trial.mutant.path])
        if output:
            with output.open("a", encoding="utf-8") as file:
                file.write(json.dumps(_plain(trial)) + "\n")

    mutants = drawn(texts, seed=seed, count=count)
    plugin = Trials(mutants=mutants, texts=texts, report=report)
    ended = pytest.main(["-q", "-p", "no:cacheprovider", *GROUPS[group]], plugins=[plugin])
    click.echo(f"\n{group}: {dict(Counter(trial.verdict for trial in trials))} of {len(mutants)}")
    sys.exit(0 if len(trials) == len(mutants) else int(ended) or 1)


def _modules(group: str) -> Iterator[str]:
    """The paths of the group's modules."""
    package = "cilog" if group == "cilog" else "patch"
    for path in sorted((ROOT / "bot" / package).glob("*.py")):
        if package == "cilog" or (path.stem in POLICY) == (group == "policy"):
            yield str(path.relative_to(ROOT))


def _plain(trial: Trial) -> dict[str, object]:
    mutant = trial.mutant
    return {
        "path": mutant.path,
        "line": mutant.line,
        "kind": mutant.kind,
        "replacement": mutant.replacement,
        "verdict": trial.verdict,
        "by": trial.by,
        "tests": trial.tests,
        "seconds": trial.seconds,
    }


def _show(trial: Trial, text: str) -> None:
    mutant = trial.mutant
    place = f"{mutant.path}:{mutant.line} {mutant.kind}"
    click.echo(f"{trial.verdict:9} {trial.seconds:5.2f} s {place} {trial.by}", err=True)
    if trial.verdict == "survived":
        before = " ".join(text.encode()[mutant.start : mutant.end].decode().split())
        click.echo(f"    {trial.tests} tests, {mutant.function}: {before}  →  {mutant.replacement}", err=True)


if __name__ == "__main__":
    main()
