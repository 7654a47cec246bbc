"""A trajectory in the terminal: untrusted texts as texts, without markup or control characters."""

from collections.abc import Mapping
from datetime import datetime

from rich.console import Console
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from bot.console import plain
from bot.trajectory.reading import Event, Recording
from bot.trajectory.story import StoryPart, diff_lines, printable, result_facts, story
from bot.trajectory.summary import Overview, overview

# Longer parts are for the page, or for --full.
MAX_LINES = 12
_STYLES = {"added": "green", "removed": "red", "head": "bold"}
_VERDICTS = {"plausible": "bold green", "partial": "yellow"}


def show(console: Console, recording: Recording, *, full: bool = False) -> None:
    """Print ``recording``: what it was, where the time went, what happened, the answer."""
    console.print(_header(recording))
    for note in recording.notes:
        console.print(Text(f"! {plain(note)}", style="yellow"), soft_wrap=True)
    sums = overview(recording)
    console.print(_costs(sums))
    for entry in story(recording):
        style = next((s for name, s in _VERDICTS.items() if name in entry.title), "bold")
        line = Text(f"{entry.at:8.1f} s  ").append(plain(entry.title), style=style)
        facts = ", ".join(plain(f"{label} {text}" if label else text, 160) for label, text in entry.facts)
        console.print(line.append(f"  {facts}" if facts else ""), soft_wrap=True, highlight=False)
        for part in entry.parts:
            if full or entry.kind != "prompt":
                console.print(Padding(_part(part, full=full), (0, 0, 0, 12)), highlight=False)
    if recording.result:
        console.print(Rule("answer"))
        console.print(_answer(recording.result))


def listing(recordings: Mapping[str, Recording | None]) -> Table:
    """The runs that are kept, by name, the newest first; None stands for one that cannot be read."""
    table = Table(show_header=True, header_style="bold")
    for name in ("run", "project", "strategy", "outcome", "seconds"):
        table.add_column(name, no_wrap=name == "run", justify="right" if name == "seconds" else "left")
    for name, recording in recordings.items():
        if recording is None:
            table.add_row(Text(plain(name)), "", "", "cannot be read", "")
            continue
        outcome = (recording.result or {}).get("outcome") or "; ".join(recording.notes[:1])
        cells = [name, *(recording.header.get(name, "") for name in ("project", "strategy")), outcome]
        seconds = f"{overview(recording).seconds:.1f}"
        table.add_row(*(Text(plain(str(cell), 60)) for cell in cells), seconds)
    return table


def started(header: Event) -> str:
    """When the run began, in words that sort."""
    try:
        return f"{datetime.fromisoformat(str(header.get('started'))):%Y-%m-%d %H:%M:%S %Z}"
    except ValueError:
        return ""


def _header(recording: Recording) -> Table:
    header = recording.header
    name = plain(recording.path.name)
    table = Table(title=name, title_justify="left", show_header=False, title_style="bold")
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    models = header.get("models")
    shown = {
        "project": header.get("project"),
        "strategy": header.get("strategy"),
        "models": ", ".join(map(str, models)) if isinstance(models, list) else "",
        "started": started(header),
        "Regreen": header.get("regreen"),
        "prompts": header.get("prompts"),
        "settings": header.get("settings_digest"),
    }
    for label, value in shown.items():
        if value:
            table.add_row(label, Text(plain(str(value))))
    return table


def _costs(sums: Overview) -> Text:
    stages = ", ".join(f"{plain(name, 40)} {seconds:.1f} s" for name, seconds in sums.by_stage[:8])
    text = Text(f"{sums.seconds:.1f} s: {stages or 'no stage was noted'}")
    for model, spent in sums.models.items():
        cost = f", {spent.cost:.4f} US dollars" if spent.cost else ""
        text.append(
            f"\n{plain(model)}: {spent.calls} calls, {spent.prompt_tokens} + {spent.completion_tokens} "
            f"tokens{cost}, {spent.seconds:.1f} s"
        )
    return text


def _part(part: StoryPart, *, full: bool) -> Text:
    lines = part.text.rstrip("\n").split("\n")
    cut = lines if full else lines[:MAX_LINES]
    text = Text(f"{part.label}\n", style="dim") if full else Text()
    kinds = diff_lines("\n".join(cut)) if part.form == "diff" else (("", line) for line in cut)
    for kind, line in kinds:
        text.append(f"{line.expandtabs(4)}\n", style=_STYLES.get(kind, ""))
    if len(cut) < len(lines):
        text.append(f"... {len(lines) - len(cut)} more lines (--full shows them)\n", style="dim")
    text.rstrip()
    return text


def _answer(result: Event) -> Table:
    table = Table(show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for label, text in result_facts(result):
        table.add_row(label, Text(text))
    if result.get("diff"):
        diff = StoryPart(label="", text=printable(result["diff"]), form="diff")
        table.add_row("patch", _part(diff, full=True))
    return table
