"""``regreen show``: a run that was recorded, in the terminal, as a page, or as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.commands.printing import write_out

if TYPE_CHECKING:
    from bot.trajectory.reading import Recording

MAX_LISTED = 50


@click.command("show", short_help="Show what happened in a run: prompts, replies, verdicts, seconds, cost.")
@click.argument("run", metavar="[RUN]", default="")
@click.option("--list", "listed", is_flag=True, help="List the runs that are kept.")
@click.option(
    "--html", metavar="FILE", type=click.Path(path_type=Path), help="Write a page, and show nothing."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--profile", is_flag=True, help="Show where the seconds went, by phase, way and test.")
@click.option("--full", is_flag=True, help="Show prompts, and long replies, in full.")
def show(  # noqa: PLR0913 - click's way: an argument for each option
    *, run: str, listed: bool, html: Path | None, as_json: bool, profile: bool, full: bool
) -> None:
    """Show what happened in RUN: its name in the list, or a file written with 'regreen fix --trajectory'.

    Without RUN, the last one. The runs are files of the state directory, without keys, and the last 50 are
    kept.
    """
    from rich.console import Console

    from bot.config import sources
    from bot.trajectory import page, reading, store, terminal
    from bot.trajectory import profile as profiles

    directory = sources.state_directory()
    if listed:
        kept = {path.stem: _read(path) for path in store.files(directory)[:MAX_LISTED]}
        Console().print(terminal.listing(kept))
        return
    recording = reading.read(store.find(directory, run))
    if html:
        _write(html, page.html(recording))
    elif as_json:
        write_out(f"{json.dumps(reading.plain_data(recording), indent=2)}\n".encode("ascii"))
    elif profile:
        profiles.show(Console(), recording)
    else:
        terminal.show(Console(), recording, full=full)


def _read(path: Path) -> Recording | None:
    from bot.errors import ConfigurationError
    from bot.trajectory import reading

    try:
        return reading.read(path)
    except ConfigurationError:
        return None


def _write(path: Path, text: str) -> None:
    from bot.delivery.worktree import write_atomically

    write_atomically(path.absolute(), text.encode("utf-8", "replace"))
    click.echo(f"regreen: wrote {path}", err=True)
