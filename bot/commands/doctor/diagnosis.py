"""What ``regreen doctor`` found: sections of lines, as data, as plain text for a pipe, as JSON."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.console import plain

LENGTH = 300


class Status(StrEnum):
    """``NOTE`` is worth knowing and changes nothing; ``GAP`` is a promise that is known not to hold here."""

    OK = "ok"
    NOTE = "note"
    GAP = "gap"
    PROBLEM = "problem"


STYLES = {Status.OK: "green", Status.NOTE: "dim", Status.GAP: "yellow", Status.PROBLEM: "bold red"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One thing that was looked at; ``advice`` says what to do about it, if anything."""

    name: str
    status: Status
    detail: str
    advice: str = ""


def ok(name: str, detail: str) -> Line:
    """Something that works."""
    return Line(name=name, status=Status.OK, detail=detail)


def note(name: str, detail: str, advice: str = "") -> Line:
    """Something worth knowing."""
    return Line(name=name, status=Status.NOTE, detail=detail, advice=advice)


def problem(name: str, detail: str, advice: str = "") -> Line:
    """Something that keeps a part from working."""
    return Line(name=name, status=Status.PROBLEM, detail=detail, advice=advice)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Lines that belong together."""

    title: str
    lines: Sequence[Line]


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """All sections; ``sandbox`` is the secure one that works here, empty when there is none."""

    sandbox: str
    sections: Sequence[Section]


def plain_data(diagnosis: Diagnosis) -> dict[str, Any]:
    """``diagnosis`` as JSON has it; it is healthy where untrusted code can be run."""
    return {"healthy": bool(diagnosis.sandbox), **asdict(diagnosis)}


def show(console: Console, diagnosis: Diagnosis) -> None:
    """Print the sections as tables, then what to do."""
    for section in diagnosis.sections:
        console.print(_table(section))
    advice = [line for section in diagnosis.sections for line in section.lines if line.advice]
    for line in advice:
        console.print(Text(f"→ {plain(line.name)}: {plain(line.advice, LENGTH)}"), soft_wrap=True)
    if diagnosis.sandbox:
        verdict = Text(f"Untrusted code can be run here, in {diagnosis.sandbox}.", style="bold green")
    else:
        verdict = Text("No secure sandbox works here.", style="bold red")
    console.print(verdict, soft_wrap=True)


def _table(section: Section) -> Table:
    table = Table(title=section.title, title_justify="left", title_style="bold", show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for line in section.lines:
        status = Text(line.status.value, style=STYLES[line.status])
        table.add_row(Text(plain(line.name)), status, Text(plain(line.detail, LENGTH)))
    return table
