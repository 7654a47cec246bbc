"""A trajectory as one HTML page that loads nothing and runs nothing.

Every text is untrusted and is escaped; should one slip through, the page's policy allows neither scripts
nor requests, and only the style sheet that it carries.
"""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from bot.trajectory.reading import Recording
from bot.trajectory.story import diff_lines, printable, result_facts, story
from bot.trajectory.summary import Overview, overview
from bot.trajectory.terminal import started

if TYPE_CHECKING:
    from jinja2 import Environment

# The picture of the time is that many units wide.
WIDTH = 1000
_COLOURS = 8
_HEADER = ("project", "strategy", "regreen", "prompts", "settings_digest")


def html(recording: Recording) -> str:
    """The page; encode it as UTF-8 with ``errors="replace"``."""
    style = (files(__package__) / "templates" / "page.css").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    sums = overview(recording)
    return (
        environment("bot.trajectory", "templates")
        .get_template("page.jinja")
        .render(
            style=style,
            policy=f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'",
            name=printable(recording.path.name),
            header={name: printable(recording.header.get(name) or "") for name in _HEADER},
            started=started(recording.header),
            models_asked=_joined(recording.header.get("models")),
            settings=printable(json.dumps(recording.header.get("settings", {}), indent=1, default=str)),
            notes=list(map(printable, recording.notes)),
            sums=sums,
            bars=_bars(sums),
            entries=story(recording),
            result=recording.result,
            outcome=printable((recording.result or {}).get("outcome") or "no answer"),
            answer=result_facts(recording.result) if recording.result else (),
            diff=printable(recording.result.get("diff") or "") if recording.result else "",
        )
    )


@cache
def environment(package: str, directory: str) -> Environment:
    """Templates of ``package`` for pages of what nobody trusts."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader(package, directory),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["diff_lines"] = diff_lines
    made.filters["printable"] = printable
    return made


def _joined(value: object) -> str:
    return printable(", ".join(map(str, value))) if isinstance(value, list) else ""


def _bars(sums: Overview) -> list[dict[str, object]]:
    """The stages as bars of one line, each at its time; the colour is that of its name."""
    colours = {name: number % _COLOURS for number, (name, _) in enumerate(sums.by_stage)}
    scale = WIDTH / sums.seconds if sums.seconds else 0.0
    return [
        {
            "x": round(span.start * scale, 2),
            "width": max(0.5, round(span.seconds * scale, 2)),
            "colour": colours[span.name],
            "title": printable(f"{span.name}: {span.seconds:.2f} s {span.detail}"[:200]),
        }
        for span in sums.spans
    ]
