"""Write docs/triage.md and its tables in docs/results/data/: ``python docs/triage.py``.

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
HEAD = """\
# Triage: what made the job fail

<!-- Made by `python docs/triage.py`; a test compares the page and the rules. -->

```
regreen triage ci.log                    # what made the job fail, and what to do next
regreen triage ci.log --project PATH     # reads the checkout too: its tests and how they run
regreen triage ci.log --json
```

`regreen fix --log LOG` runs the triage first. It repairs only when the verdict is `code`, and only the
tests whose failure looks like the code's. Otherwise it ends with exit status 1, the outcome `not_code` or
`flaky`, the line of the log that decided, and advice. To repair in spite of a verdict, leave out `--log`.

The triage runs nothing. A log is untrusted, so a verdict decides only what is worth trying.

## What it reads

A log is a file, a pipe, a gzip, a directory, the archive that GitHub serves for a run, or JUnit XML. Time
stamps and prefixes of GitHub, Azure, Jenkins, `gh run view --log`, docker and act are removed. Known are
pytest with all its options, also cut off; unittest, Django, nose, trial, stestr, zope.testrunner, doctest,
Sphinx; crashes, tracebacks, tox, nox, GitHub's steps and annotations.

A test that imitates a whole report can add a failing test to a log. It cannot hide one, and the sandbox
finds out. At most 10,000 failures are kept. On two busy cores, 100 MB take 1.4 to 2.4 s.

## How a verdict is found

1. Failing tests come first, each by its exception and the chain of causes. An unreachable host, a missing
   module or a full disk is not the code's fault. What is not clearly the environment's fault is the code's.
   One such test is enough for `code`.
2. Without failing tests, tracebacks outside the tests and the rules decide, on the lines of the failed
   step. A line far from the step's end, or in the output of tests, weighs less.
3. Weights of different rules are added up. Half of the strongest other kind is subtracted. The result is
   the confidence.

**The test command** is the first of: what a tool printed before the failing report (`+ pytest`, tox, nox,
make, hatch), the step's script, the checkout's Makefile or tox configuration, the workflow file.
`--test-command` overrides it. Options that only report, measure or distribute are removed. Variables of the
step are kept, except secrets and the runner's own.
"""


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
        HEAD,
        "## Verdicts of the rules",
        "",
        f"{len(RULES)} rules, each with a weight and an example:",
        f"[triage-rules.csv](results/data/{RULES_TABLE.name}).",
        "",
        *kinds,
        "",
        "## How well it decides",
        "",
        "So many logs were decided as a person did. The rules were written with the first two groups at",
        "hand. No group shows how well it does on unknown logs. Each decision:",
        f"[triage-logs.csv](results/data/{LOGS_TABLE.name}).",
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
