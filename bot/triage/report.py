"""A log's answer for people and for programs: ``regreen triage``."""

from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.console import plain
from bot.errors import listed
from bot.triage.log import LogAnswer
from bot.triage.model import CauseKind, Finding

FORMAT_VERSION = 1
LISTED = 10
LENGTH = 300


def plain_data(answer: LogAnswer) -> dict[str, Any]:
    """``answer`` as JSON values."""
    verdict, command = answer.verdict, answer.command
    return {
        "version": FORMAT_VERSION,
        "kind": verdict.kind.value,
        "subkind": verdict.subkind,
        "confidence": verdict.confidence,
        "advice": verdict.advice,
        "evidence": [_finding(finding) for finding in verdict.evidence],
        "tests": list(answer.tests),
        "red_tests": [failure.test for failure in answer.reading.failures],
        "command": command
        and {
            "text": command.text,
            "directory": command.directory,
            "runner": command.runner,
            "source": command.source,
        },
    }


def show(console: Console, answer: LogAnswer) -> None:
    """Print the verdict, what it rests on, and what to do. The log's texts are shown as text, shortened."""
    verdict = answer.verdict
    style = {CauseKind.CODE: "bold red", CauseKind.PASSED: "bold green"}.get(verdict.kind, "bold yellow")
    console.print(Text(f"{verdict.name}, {verdict.confidence:.0%} sure", style=style))
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(justify="right", no_wrap=True, style="dim")
    table.add_column(overflow="fold")
    for finding in verdict.evidence:
        against = "" if finding.kind is verdict.kind else f"but {finding.kind.value}: "
        where = f"line {finding.log_line}" if finding.log_line else ""
        table.add_row(where, Text(f"{against}{finding.why}\n{plain(finding.text, LENGTH)}".rstrip()))
    console.print(table)
    if answer.tests:
        names = listed([plain(test) for test in answer.tests], LISTED)
        console.print(Text(f"tests to repair: {names}"), soft_wrap=True)
    if answer.command:
        text, source = plain(answer.command.text, LENGTH), plain(answer.command.source)
        console.print(Text(f"test command: {text}  ({source})"), soft_wrap=True)
    console.print(Text(f"→ {verdict.advice}"), soft_wrap=True)


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "kind": finding.kind.value,
        "subkind": finding.subkind,
        "weight": finding.weight,
        "line": finding.log_line,
        "text": finding.text,
        "why": finding.why,
    }
