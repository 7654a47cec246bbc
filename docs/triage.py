"""Write the second half of docs/triage.md, and its tables in docs/results/data/: ``python docs/triage.py``.

The rows of the real logs stay as they are unless REGREEN_SHARED_DATA names the directory of the logs.
"""

from __future__ import annotations

import csv
import io
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from bot.causes.log_rules import RULES
from bot.triage.log import ask

TARGET = Path(__file__).with_suffix(".md")
DATA = TARGET.parent / "results" / "data"
RULES_TABLE, LOGS_TABLE = DATA / "triage-rules.csv", DATA / "triage-logs.csv"
SMALL_LOGS = TARGET.parents[1] / "tests" / "golden" / "triage"
REAL = "real"
RULES_HEAD = ("kind", "subkind", "weight", "such a line means", "example")
LOGS_HEAD = (
    "logs",
    "log",
    "a person says",
    "the triage says",
    "confidence",
    "verdict",
    "what happened",
    "test command",
)
Row = tuple[str, ...]
MADE = "## Verdicts of the rules\n"
"""The heading of what is made of the page; all before is written by hand."""


def rules() -> Iterator[Row]:
    """A row for each rule, by kind."""
    for one in sorted(RULES, key=lambda rule: rule.kind.value):
        yield (one.kind.value, one.subkind, f"{one.weight:g}", one.why, one.example)


def small() -> Iterator[Row]:
    """The decisions on the tests' own logs: those that the rules were written with, and those of later."""
    for group, directory in (("own", SMALL_LOGS), ("later", SMALL_LOGS / "later")):
        expected: Mapping[str, Any] = _expected().SMALL if group == "own" else _expected().LATER
        for name, decided in sorted(expected.items()):
            verdict = decided[0] if group == "own" else decided
            yield (group, name, *_decision(verdict, ask(directory / f"{name}.log", {})), "", "")


def real(directory: Path) -> Iterator[Row]:
    """The decisions on the real logs in ``directory``."""
    expected: Mapping[str, Any] = _expected().REAL
    for name, (verdict, _tests, _command, note) in sorted(expected.items()):
        answer = ask(directory / f"{name}.log", {})
        command = answer.command.text if answer.command else ""
        shown = command if len(command) < 90 else f"… {command[-80:]}"
        yield (REAL, name, *_decision(verdict, answer), note, shown)


def _decision(verdict: str, answer: Any) -> Row:  # noqa: ANN401 - what ``ask`` returns
    found = answer.verdict
    return (verdict, found.name, f"{found.confidence:.0%}", "right" if found.name == verdict else "wrong")


def _expected() -> Any:  # noqa: ANN401 - a module of the tests, where the expectations are
    if str(SMALL_LOGS) not in sys.path:
        sys.path.append(str(SMALL_LOGS))
    return import_module("triage_expected")


def logs(data: str = "") -> list[Row]:
    """All decisions; without a directory ``data``, those on real logs are read from the table."""
    if data:
        kept = list(real(Path(data) / "cilogs"))
    else:
        with LOGS_TABLE.open(encoding="utf-8", newline="") as file:
            kept = [tuple(row) for row in csv.reader(file) if row[0] == REAL]
    return [*kept, *small()]


def as_csv(head: Row, rows: Iterable[Row]) -> str:
    """A table as a file that GitHub shows as one."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows([head, *rows])
    return written.getvalue()


def page(decided: Iterable[Row]) -> str:
    """The page: the prose, the kinds, and how many logs were decided as a person did."""
    subkinds: dict[str, dict[str, None]] = {}
    for kind, subkind, *_ in rules():
        subkinds.setdefault(kind, {})[subkind] = None
    count = Counter((row[0], row[5]) for row in decided)
    kinds = [f"- `{kind}`: {', '.join(names)}" for kind, names in subkinds.items()]
    described = {
        REAL: "fourteen real logs",
        "own": "the tests' own logs",
        "later": "logs written after the rules",
    }
    shares = [
        f"- {text}: {count[group, 'right']} of {count[group, 'right'] + count[group, 'wrong']}"
        for group, text in described.items()
    ]
    parts = [
        TARGET.read_text("utf-8").partition(MADE)[0] + MADE,
        f"{len(RULES)} rules, each with a weight and an example:",
        f"[triage-rules.csv](results/data/{RULES_TABLE.name}).",
        "",
        *kinds,
        "",
        "## How well it decides",
        "",
        f"As a person did ([each](results/data/{LOGS_TABLE.name})); the rules were written with the",
        "first two groups at hand:",
        "",
        *shares,
    ]
    return "\n".join(parts) + "\n"


def files(data: str = "") -> dict[Path, str]:
    """The page and its tables."""
    decided = logs(data)
    return {
        RULES_TABLE: as_csv(RULES_HEAD, rules()),
        LOGS_TABLE: as_csv(LOGS_HEAD, decided),
        TARGET: page(decided),
    }


if __name__ == "__main__":
    DATA.mkdir(exist_ok=True)
    for path, written in files(os.environ.get("REGREEN_SHARED_DATA", "")).items():
        path.write_text(written, "utf-8")
