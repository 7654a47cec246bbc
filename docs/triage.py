"""Write docs/triage.md: ``python docs/triage.py``; REGREEN_SHARED_DATA brings the real logs' table."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any

from bot.triage.log import ask
from bot.triage.rules import RULES

TARGET = Path(__file__).with_suffix(".md")
SMALL_LOGS = TARGET.parents[1] / "tests" / "golden" / "triage"
REAL_BEGIN, REAL_END = "<!-- real logs -->\n", "<!-- end of real logs -->\n"
HEAD = """\
# Triage: what made the job fail

<!-- Made by `python docs/triage.py`; a test holds it and the rules together. -->

`regreen triage LOG` says what made a job fail, why one may think so, and what to do next; `--project PATH`
names the checkout, whose files tell more of the tests and of how they are run; `--json` gives the same as
data. `regreen fix --log LOG` judges first: only `code` goes on to a repair, and only with the tests that
look like the code's own doing. Anything else ends with exit status 1, the outcome `not_code` or `flaky`, the
reason with the line of the log, and a sentence of advice. To repair against a verdict, leave `--log` out.

Nothing is run for a verdict, and a log is hostile text: a verdict decides what is worth trying and is never
evidence that a test fails or passes.

**How a verdict comes about.** Failing tests come first. Each is judged by its exception and by the chain that
led to it: an unreachable host, a module that is not installed, a full disk are not the code's doing; all
that is not surely the environment's doing is the code's. One such test is enough for `code`, since the
sandbox decides and not the log. Where there is none, tracebacks outside of the tests and the rules below
speak, for lines of the step that failed; what stands far from its end or among the output of tests weighs
less. What several rules say is added up as `1 - (1 - w1)(1 - w2)...`, each meaning once; half of what speaks
for the strongest other kind is taken off. That is the confidence.

**The test command** is what a tool showed before the failing report (`+ pytest`, tox, nox, make, hatch), else
the step's script, else what the checkout's Makefile or tox configuration runs, else the workflow file.
`--test-command` overrides it. Options that only report, measure or share out the work are left out, the
runner's paths become the checkout's, and variables that the step set are set again, except secrets and what
the runner sets for itself.

The rules were written with the fourteen real logs and the tests' own logs at hand: those tables show what
the rules say, and not how well they do on a log that nobody has seen. One table is of logs that came later.
"""


def rules() -> Iterator[str]:
    """A row for each rule, by kind."""
    yield "## The rules"
    for kind, group in groupby(sorted(RULES, key=lambda one: one.kind.value), key=lambda one: one.kind.value):
        yield ""
        yield f"### {kind}"
        yield ""
        yield "| subkind | weight | such a line means | for example |"
        yield "| --- | --- | --- | --- |"
        for one in group:
            example = one.example.replace("|", "\\|").replace("`", "'")
            yield f"| {one.subkind} | {one.weight:g} | {one.why} | `{example}` |"


def small() -> Iterator[str]:
    """The decisions on the small logs of the tests."""
    expected: Mapping[str, Any] = _expected().SMALL
    yield "## Decisions on the tests' own logs"
    yield ""
    yield "| log | a person says | the triage says | sure | |"
    yield "| --- | --- | --- | --- | --- |"
    for name, (verdict, _command) in sorted(expected.items()):
        found = ask(SMALL_LOGS / f"{name}.log", {}).verdict
        right = "right" if found.name == verdict else "**wrong**"
        yield f"| {name} | {verdict} | {found.name} | {found.confidence:.0%} | {right} |"


def later() -> Iterator[str]:
    """The decisions on the logs that were written after the rules."""
    expected: Mapping[str, Any] = _expected().LATER
    yield "## Decisions on logs that the rules had not seen"
    yield ""
    yield "Written after the rules, after what other tools and services print; the first answer to each."
    yield ""
    yield "| log | a person says | the triage says | sure | |"
    yield "| --- | --- | --- | --- | --- |"
    for name, verdict in sorted(expected.items()):
        found = ask(SMALL_LOGS / "later" / f"{name}.log", {}).verdict
        right = "right" if found.name == verdict else "**wrong**"
        yield f"| {name} | {verdict} | {found.name} | {found.confidence:.0%} | {right} |"


def real(directory: Path) -> Iterator[str]:
    """The decisions on the real logs in ``directory``."""
    expected: Mapping[str, Any] = _expected().REAL
    yield "| log | a person says | the triage says | sure | | what happened | test command |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for name, (verdict, _tests, _command, note) in sorted(expected.items()):
        answer = ask(directory / f"{name}.log", {})
        found = answer.verdict
        right = "right" if found.name == verdict else "**wrong**"
        command = answer.command.text if answer.command else ""
        shown = command if len(command) < 90 else f"… {command[-80:]}"
        yield (
            f"| {name} | {verdict} | {found.name} | {found.confidence:.0%} | {right} | {note} | `{shown}` |"
        )


def _expected() -> Any:  # noqa: ANN401 - a module of the tests, where the expectations are
    if str(SMALL_LOGS) not in sys.path:
        sys.path.append(str(SMALL_LOGS))
    return import_module("triage_expected")


def page(data: str = "") -> str:
    """The whole page; the real logs' table stays as it is where ``data`` names no directory that has them."""
    before = TARGET.read_text("utf-8") if TARGET.exists() else ""
    kept = before.partition(REAL_BEGIN)[2].partition(REAL_END)[0]
    if data:
        kept = "\n".join(real(Path(data) / "cilogs")) + "\n"
    parts = [
        HEAD,
        "## Decisions on fourteen real logs\n\n" + REAL_BEGIN + kept + REAL_END,
        "\n".join(later()) + "\n",
        "\n".join(small()) + "\n",
        "\n".join(rules()) + "\n",
    ]
    return "\n".join(parts)


if __name__ == "__main__":
    TARGET.write_text(page(os.environ.get("REGREEN_SHARED_DATA", "")), "utf-8")
