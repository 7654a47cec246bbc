"""Write the tables of docs/sandbox-promises.md and docs/verdicts.md: ``python docs/sandbox_tables.py``.

The prose of both pages is written by hand. Long tables become CSV files in docs/results/data/.
"""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from sandbox.selfcheck import BUILD_CHECKS, CHECKS, KNOWN_GAPS
from sandbox.selfcheck.likeness import DIFFERENCES

DOCS = Path(__file__).parent
PROMISES, VERDICTS = DOCS / "sandbox-promises.md", DOCS / "verdicts.md"
PROVIDERS = ("docker", "bubblewrap", "process")
BUILD = "build"  # in bubblewrap


def checks() -> Iterator[str]:
    """A row for each check: who does not keep the promise, and whether a build has it."""
    yield "| check | promise | gap in | a build |"
    yield "| --- | --- | --- | --- |"
    for check in CHECKS:
        gaps = [
            f"{provider}{_gap(provider, check.name)}" for provider in PROVIDERS if _gap(provider, check.name)
        ]
        build = "holds" + _gap(BUILD, check.name) if check.name in BUILD_CHECKS else ""
        yield f"| `{check.name}` | {check.promise} | {', '.join(gaps).replace('!', '')} | {build} |"


def _gap(provider: str, check: str) -> str:
    """The provider where it has a gap, with a mark where only some machines have it."""
    gap = KNOWN_GAPS[provider].get(check)
    if gap is None:
        return ""
    return f"{provider}*" if gap.conditional else provider


def gaps() -> Iterator[str]:
    """A row for each reason: whose, where, and which checks it concerns."""
    yield "| provider | where | what does not hold | why |"
    yield "| --- | --- | --- | --- |"
    for provider in (*PROVIDERS, BUILD):
        by_reason: dict[tuple[str, str], list[str]] = {}
        for name, gap in KNOWN_GAPS[provider].items():
            by_reason.setdefault((gap.where, gap.reason), []).append(f"`{name}`")
        for (where, reason), names in by_reason.items():
            yield f"| {provider} | {where} | {', '.join(names)} | {reason} |"
        if not by_reason:
            yield f"| {provider} | | none | |"


def differences() -> str:
    """A row for each call that is answered otherwise inside: where, and why."""
    rows = (
        (name, ", ".join(one.providers), "on some machines" if one.sometimes else "always", one.reason)
        for name, one in DIFFERENCES.items()
    )
    return _as_csv(("call", "providers", "when", "why"), rows)


def _as_csv(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows([head, *rows])
    return written.getvalue()


def attacks_on_verdicts(module: str) -> Any:  # noqa: ANN401 - a module of the tests, where the attacks are
    """The attacks on verdicts of one kind, from the tests that try them."""
    directory = str(DOCS.parent / "tests" / "contract")
    if directory not in sys.path:
        sys.path.append(directory)
    return import_module(module)


def attacks() -> str:
    """A row for each attack on a verdict: what is done, and what comes of it."""
    forged = "a single run believes it, the proof refuses it"
    rows = [
        *(
            ("candidate", one.name, one.what, "no pass", "not tried: a gap" if one.isolated else "no pass")
            for one in attacks_on_verdicts("verdict_attacks").ATTACKS
        ),
        *(
            ("forged report", one.name, one.what, forged, forged)
            for one in attacks_on_verdicts("forgeries").FORGERIES
        ),
        *(
            ("test code", one.name, one.what, "no pass", "no pass")
            for one in attacks_on_verdicts("hostile_tests").HOSTILE
        ),
    ]
    head = ("by", "attack", "what it does", "docker and bubblewrap", "process")
    return _as_csv(head, ([cell.replace("`", "") for cell in row] for row in rows))


def residual() -> Iterator[str]:
    """A row for each way that remains."""
    yield "| risk | what code in the tests' own process can do | what stands against it |"
    yield "| --- | --- | --- |"
    for risk in attacks_on_verdicts("residual_risks").RESIDUAL:
        yield f"| `{risk.name}` | {risk.what} | {risk.against} |"


BLOCKS = {
    PROMISES: {"checks": checks, "gaps": gaps},
    VERDICTS: {"residual": residual},
}
DATA = DOCS / "results" / "data"
TABLES = {DATA / "verdict-attacks.csv": attacks, DATA / "sandbox-differences.csv": differences}


def page(target: Path, text: str) -> str:
    """``text`` of the page ``target`` with each generated block as it has to be."""
    for name, rows in BLOCKS[target].items():
        block = "\n".join(
            [f"<!-- {name}: made by docs/sandbox_tables.py -->", *rows(), f"<!-- end of {name} -->"]
        )
        pattern = rf"<!-- {name}: .*?<!-- end of {name} -->"
        text, found = re.subn(pattern, lambda _, block=block: block, text, flags=re.DOTALL)
        if found != 1:
            raise ValueError(f"{target} has {found} blocks called {name} and must have one")
    return text


if __name__ == "__main__":
    for target in BLOCKS:
        target.write_text(page(target, target.read_text("utf-8")), "utf-8")
    for table, made in TABLES.items():
        table.write_text(made(), "utf-8")
