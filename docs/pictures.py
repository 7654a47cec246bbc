"""Draw docs/pictures/*.png, what Regreen writes on GitHub as a browser shows it: ``python docs/pictures.py``.

A real repair of examples/discount is published on the tests' stand-in for GitHub; what lies there then is
drawn. The style is made after GitHub's, the words are Regreen's own. It takes a sandbox and ``chromium``.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markdown_it import MarkdownIt
from rich.console import Console

DOCS = Path(__file__).parent
ROOT = DOCS.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT)]

import browser  # noqa: E402
from github_fixture import bench  # noqa: E402

from bot.action.acknowledge import (  # noqa: E402
    EDIT_SECONDS,
    LiveAnswer,
    acknowledge,
    say_progress,
)
from bot.compose import Repaired, fix  # noqa: E402
from bot.config.sources import load  # noqa: E402
from bot.console import ConsoleProgress  # noqa: E402
from bot.delivery.check import write_repair  # noqa: E402
from bot.delivery.options import DeliveryOptions  # noqa: E402
from bot.delivery.proposing import Origin, proposal_of  # noqa: E402
from bot.delivery.publish import publish  # noqa: E402
from bot.delivery.verify import verify  # noqa: E402
from bot.github.events import Trigger  # noqa: E402
from bot.patch.policy.gate import Policy  # noqa: E402

PROJECT = ROOT / "examples" / "discount"
TARGET = DOCS / "pictures"
WIDTH = 862
BUDGET_S = 600.0
MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


@contextmanager
def published(repaired: Repaired, options: DeliveryOptions, *, near: bool) -> Any:  # noqa: ANN401
    """The pull request's issue on the stand-in after a publication; ``near``: the bug is within its diff."""
    files = dict(repaired.snapshot.files)
    with bench() as here:
        here.repository.pulls_by_actions = True
        base = {} if near else files
        here.server.world.push(here.repository, "main", {"README.md": b"# Shop\n", **base})
        head = here.server.world.push(here.repository, "feature", {**files, "CHANGES.md": b"- discounts\n"})
        number = here.server.world.pull(here.repository, "feature").number
        origin = Origin(
            repository=here.client.repository,
            pull=number,
            base_sha=here.client.branch_head("main") or "",
            head_sha=head,
            head_ref="feature",
            run_id=4711,
            trigger="workflow_run",
        )
        verified = verify(
            proposal_of(repaired.result, origin=origin, files=files), here.client, policy=Policy()
        )
        delivered = publish(verified, here.client, options, now=datetime.now(UTC))
        write_repair(verified, delivered, here.client)
        yield here.repository, here.repository.issues[number]


def asked(repaired: Repaired) -> str:
    """The answer to a person's ``/regreen fix`` while the repair goes on, at its last candidate."""
    with bench() as here:
        here.server.world.push(here.repository, "feature", dict(repaired.snapshot.files))
        issue = here.server.world.pull(here.repository, "feature")
        comment = here.server.world.comment(issue, "/regreen fix", user=here.server.world.user("octo"))
        trigger = Trigger(kind="issue_comment", command="fix", pull=issue.number, comment_id=comment.id)
        url = f"https://github.example/{here.client.repository}/actions/runs/4711"
        acknowledge(trigger, here.client, seconds=BUDGET_S, url=url)
        live = LiveAnswer(
            inner=ConsoleProgress(Console(stderr=True), verbose=True),
            say=partial(say_progress, trigger, here.client, url),
            seconds=BUDGET_S,
            clock=iter([0.0, 0.0, EDIT_SECONDS]).__next__,
        )
        live.stage("search")
        live.tick(attempts=repaired.result.attempts)
        return str(issue.comments[-1].body)


def html(markdown: str, old: Sequence[str] = ()) -> str:
    """Markdown as GitHub shows it; ``old`` are the lines that a suggestion is for."""
    tokens = MARKDOWN.parse(markdown)
    for token in tokens:
        if token.type == "fence" and token.info == "suggestion":
            before = "".join(f'<div class="del">- {escape(line)}</div>' for line in old)
            lines = token.content.removesuffix("\n").split("\n") if token.content else []
            after = "".join(f'<div class="add">+ {escape(line)}</div>' for line in lines)
            token.type, token.tag = "html_block", ""
            token.content = f'<div class="suggested"><p>Suggested change</p>{before}{after}</div>'
        elif token.type == "fence" and token.info in {"diff", "sh"}:
            marks = {"+": "add", "-": "del"}
            shown = "".join(
                f'<span class="{marks.get(line[:1], "")}">{escape(line)}</span>\n'
                for line in token.content.removesuffix("\n").split("\n")
            )
            token.type, token.content = "html_block", f"<pre><code>{shown}</code></pre>"
    return re.sub(r"<!--.*?-->", "", MARKDOWN.renderer.render(tokens, MARKDOWN.options, {}), flags=re.DOTALL)


def boxes(issue: Any, files: Mapping[str, bytes]) -> list[dict[str, object]]:  # noqa: ANN401 - the stand-in's
    """The review with its comments on lines, all of which the pull request adds; then the comments."""
    found: list[dict[str, object]] = [
        {"what": "reviewed", "html": html(review.body)} for review in issue.pull.reviews
    ]
    for one in issue.pull.line_comments:
        lines = files[one.path].decode().splitlines()[: one.line]
        old = lines[(one.start_line or one.line) - 1 :]
        hunk = [f"+ {line}" for line in lines[-4:]]
        found.append({"what": f"on {one.path}", "hunk": hunk, "html": html(one.body, old)})
    found += [{"what": "commented", "html": html(comment.body)} for comment in issue.comments]
    return found


def checked(check: Mapping[str, Any]) -> dict[str, object]:
    """A check run, with its annotations below."""
    output, notes = check["output"], check["annotations"]
    places = [f"- `{one['path']}`, line {one['start_line']}: {one['message']}" for one in notes]
    lines = [f"## {output['title']}", "", output["summary"], "", "### Annotations", "", *places]
    return {"what": f"check run {check['name']}: {check['conclusion']}", "html": html("\n".join(lines))}


def draw(name: str, **page: object) -> None:
    """The page as TARGET/name.png, as high as it is."""
    environment = Environment(loader=FileSystemLoader(DOCS), autoescape=True)
    text = environment.get_template("pictures.html.jinja").render(
        title=name, author="github-actions", **{"heading": "", "into": "", "branch": "", **page}
    )
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory, "page.html")
        file.write_text(text, "utf-8")
        with browser.opened(browser.program() or "chromium", Path(directory, "profile")) as tab:
            tab.open(file, width=WIDTH)
            height = tab.ask("Math.ceil(document.body.getBoundingClientRect().height)")
            tab.open(file, width=WIDTH, height=height)
            tab.picture(TARGET / f"{name}.png")


def main() -> None:
    """Repair, publish in three ways, draw."""
    settings = load({"project": PROJECT}, {"VIRTUAL_ENV": sys.prefix, **os.environ})
    with ConsoleProgress(Console(stderr=True), verbose=True) as progress:
        repaired = fix(settings, progress)
    draw("progress", boxes=[{"what": "commented", "html": html(asked(repaired))}])
    with published(repaired, DeliveryOptions(), near=True) as (repository, issue):
        draw("suggestion", boxes=boxes(issue, repaired.snapshot.files))
        (check,) = repository.checks
        draw("check", boxes=[checked(check)])
    with published(repaired, DeliveryOptions(delivery="comment"), near=False) as (_, issue):
        draw("comment", boxes=boxes(issue, repaired.snapshot.files))
    with published(repaired, DeliveryOptions(), near=False) as (repository, issue):
        (one,) = (other for other in repository.issues.values() if other.pull and other is not issue)
        body = [{"what": "commented", "html": html(one.body)}]
        draw("pull-request", boxes=body, heading=one.title, into=one.pull.base_ref, branch=one.pull.head_ref)


if __name__ == "__main__":
    main()
