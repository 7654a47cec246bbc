"""``python tests/coverage_table.py``: what the last measured run of the tests ran, by package, in Markdown.

``make coverage`` measures. Code for the inside of a sandbox runs there in another interpreter, where nobody
counts: it stands apart, with what the tests ran of it in their own process.
"""

import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

import coverage

INSIDE = ("sandbox/runner/", "sandbox/selfcheck/hostile/", "sandbox/confine.py", "benchmarks/inside/")
SUMS = ("num_statements", "covered_lines", "num_branches", "covered_branches")


def rows(files: dict[str, Counter[str]]) -> Iterator[str]:
    """The table: a package a line, their sum, and each place whose code runs in sandboxes."""
    outside = {path: sums for path, sums in files.items() if not path.startswith(INSIDE)}
    packages: dict[str, Counter[str]] = {}
    for path, sums in sorted(outside.items()):
        packages.setdefault(_package(path), Counter()).update(sums)
    yield "| package | lines | of them run | branches | of them taken |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    yield from (_row(f"`{name}`", sums) for name, sums in sorted(packages.items()))
    yield _row("**all of these**", _sum(outside.values()))
    for place in INSIDE:
        inside = _sum(sums for path, sums in files.items() if path.startswith(place))
        yield _row(f"`{place.removesuffix('/')}`, in the tests' own process", inside)


def measured() -> dict[str, Counter[str]]:
    """Lines and branches by file, of the data that the last measured run left.

    Raises:
        coverage.CoverageException: there is none.
    """
    data = coverage.Coverage()
    data.load()
    with tempfile.NamedTemporaryFile("r", suffix=".json", encoding="utf-8") as report:
        data.json_report(outfile=report.name)
        files = json.load(report)["files"]
    return {path: Counter({key: one["summary"][key] for key in SUMS}) for path, one in files.items()}


def _package(path: str) -> str:
    """The directory of ``path``, two deep at most."""
    return "/".join(PurePosixPath(path).parent.parts[:2])


def _sum(all_of_them: Iterable[Counter[str]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for sums in all_of_them:
        total.update(sums)
    return total


def _row(name: str, sums: Counter[str]) -> str:
    lines, run, branches, taken = (sums[key] for key in SUMS)
    return f"| {name} | {lines} | {_percent(run, lines)} | {branches} | {_percent(taken, branches)} |"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


if __name__ == "__main__":
    print(*rows(measured()), sep="\n")  # noqa: T201
