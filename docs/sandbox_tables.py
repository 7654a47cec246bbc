"""Write the tables about the sandbox: ``python docs/sandbox_tables.py``.

docs/sandbox.md and docs/verdicts.md, which are written by hand, link to them.
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from sandbox.providers import KINDS
from sandbox.selfcheck.builds import BUILD_CHECKS
from sandbox.selfcheck.likeness.compare import LikenessDifference, differences_of
from sandbox.selfcheck.run import BUILDS, CHECKS, KNOWN_GAPS

DOCS = Path(__file__).parent
DATA = DOCS / "results" / "data"
PROVIDERS = tuple(KINDS)


def promises() -> str:
    """A row for each check: what is promised, and by whom it holds."""
    rows = (
        (
            check.name,
            check.promise,
            *(_holds(provider, check.name) for provider in PROVIDERS),
            *(_holds(one, check.name) if check.name in BUILD_CHECKS else "no promise" for one in BUILDS),
        )
        for check in CHECKS
    )
    return _as_csv(("check", "promise", *PROVIDERS, *BUILDS), rows)


def _holds(provider: str, check: str) -> str:
    gap = KNOWN_GAPS[provider].get(check)
    return f"gap {gap.where}: {gap.reason}" if gap else "holds"


def differences() -> str:
    """A row for each call that is answered otherwise inside: where, and why."""
    found: dict[tuple[str, LikenessDifference], list[str]] = {}
    for provider in PROVIDERS:
        for call in differences_of(provider).items():
            found.setdefault(call, []).append(provider)
    rows = (
        (name, ", ".join(providers), "on some machines" if one.sometimes else "always", one.reason)
        for (name, one), providers in found.items()
    )
    return _as_csv(("call", "providers", "when", "why"), rows)


def _as_csv(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    written = io.StringIO()
    plain = ([cell.replace("`", "") for cell in row] for row in rows)
    csv.writer(written, lineterminator="\n").writerows([head, *plain])
    return written.getvalue()


def attacks_on_verdicts() -> Any:  # noqa: ANN401 - a module of the tests, where the attacks are
    """The module of the tests that holds the attacks on verdicts."""
    sys.path += [str(DOCS.parent / "tests"), str(DOCS.parent / "tests" / "contract")]
    return import_module("attacks")


def attacks() -> str:
    """A row for each attack on a verdict: what is done, and what comes of it."""
    forged = "a single run believes it, the proof refuses it"
    found = attacks_on_verdicts()
    rows = [
        *(
            ("candidate", one.name, one.what, "no pass", "not tried: a gap" if one.isolated else "no pass")
            for one in found.CANDIDATES
        ),
        *(("forged report", one.name, one.what, forged, forged) for one in found.FORGERIES),
        *(("test code", one.name, one.what, "no pass", "no pass") for one in found.HOSTILE),
    ]
    return _as_csv(("by", "attack", "what it does", "docker and bubblewrap", "process"), rows)


def risks() -> str:
    """A row for each way to forge a verdict that remains."""
    head = ("risk", "what code in the tests' own process can do", "what stands against it")
    return _as_csv(head, ((risk.name, risk.what, risk.against) for risk in attacks_on_verdicts().RESIDUAL))


TABLES = {
    DATA / "sandbox-promises.csv": promises,
    DATA / "sandbox-differences.csv": differences,
    DATA / "verdict-attacks.csv": attacks,
    DATA / "verdict-risks.csv": risks,
}


if __name__ == "__main__":
    for table, made in TABLES.items():
        table.write_text(made(), "utf-8")
