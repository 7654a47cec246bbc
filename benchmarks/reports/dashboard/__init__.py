"""Runs as one HTML page: tasks to sort and filter, each with its diff and its trajectory; it loads nothing.

Texts of tasks, models and programs are untrusted and are escaped; the page's policy allows its own script
and style sheet and nothing else.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.reports.shares import Share
from benchmarks.runs.harness import trajectory_name
from benchmarks.runs.progress import tokens_of, verdict_of
from benchmarks.runs.runfile import Row, Run
from bot.errors import ConfigurationError
from bot.trajectory.page import environment
from bot.trajectory.reading import read
from bot.trajectory.story import StoryEntry, printable, story

if TYPE_CHECKING:
    from jinja2 import Environment

# Of each trajectory; a search of an hour shows no more in ten thousand lines.
MAX_ENTRIES, MAX_CHARACTERS = 200, 20_000


def html(
    runs: Mapping[str, Run],
    *,
    trajectories: Mapping[str, Path],
    pictures: Mapping[str, bytes],
    figures_only: bool = False,
) -> str:
    """The page about ``runs`` by their names; encode it as UTF-8 with ``errors="replace"``.

    ``trajectories`` are the runs' directories of them, ``pictures`` SVG by title. With ``figures_only`` no
    text of a task is in it, nor of a patch.
    """
    style, script = (_part(name) for name in ("page.css", "page.js"))
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    tasks = [
        _shown(name, row, trajectories.get(name), figures_only=figures_only)
        for name, run in runs.items()
        for row in run.rows
    ]
    return (
        _environment()
        .get_template("page.jinja")
        .render(
            style=style,
            script=script,
            policy=policy,
            runs={name: _overview(run) for name, run in runs.items()},
            pictures={title: base64.b64encode(svg).decode() for title, svg in pictures.items()},
            tasks=tasks,
            groups=sorted({str(task["row"]["group"]) for task in tasks}),
            verdicts=sorted({task["verdict"] for task in tasks}),
            figures_only=figures_only,
        )
    )


def _overview(run: Run) -> Sequence[tuple[str, str]]:
    code, machine = run.header["code"], run.header["machine"]
    shares = [(verdict, str(Share.of(run.rows, verdict))) for verdict in ("plausible", "correct")]
    said = ", ".join(f"{name} {value}" for name, value in run.header["configuration"].items())
    return (
        *shares,
        ("benchmark", str(run.header["benchmark"])),
        ("configuration", said),
        ("code", f"{code['version']}, commit {code['commit'][:12] or 'unknown'}"),
        ("machine", f"{machine['cores']} cores, {machine['processor']}"),
        ("started", str(run.header["started"])),
    )


def _shown(run: str, row: Row, directory: Path | None, *, figures_only: bool) -> Mapping[str, Any]:
    """A row as the page shows it; ``entries`` are those of its trajectory."""
    diff = (row.get("result") or {}).get("diff") or ""
    return {
        "run": run,
        "row": row,
        "verdict": verdict_of(row),
        "tokens": tokens_of(row),
        "diff": "" if figures_only else printable(diff)[:MAX_CHARACTERS],
        "entries": () if figures_only or directory is None else _entries(row, directory),
    }


def _entries(row: Row, directory: Path) -> tuple[StoryEntry, ...]:
    """The trajectory's, where there is one that can be read."""
    path = directory / trajectory_name(str(row["task"]), int(row.get("sample", 0)))
    if path.parent != directory:
        return ()
    try:
        return story(read(path))[:MAX_ENTRIES]
    except (ConfigurationError, OSError, ValueError):
        return ()


def _part(name: str) -> str:
    return (files(__package__) / name).read_text("utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def _environment() -> Environment:
    made = environment(__package__, ".")
    made.filters["shortened"] = lambda text: printable(text)[:MAX_CHARACTERS]
    return made
