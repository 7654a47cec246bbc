"""``regreen culprit``: which part of a change makes the tests fail, shown by running them without it."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import click

from bot.commands.printing import write_out
from bot.config.options.command_line import GroupedCommand, log_option, project_argument, table_options

if TYPE_CHECKING:
    from bot.config.settings import Settings
    from bot.environments.versions.culprit_commit import CulpritCommit
    from bot.ports import Progress


@click.command(cls=GroupedCommand, short_help="Find the part of a change that makes tests fail.")
@project_argument
@log_option(help="A CI log: its failures are the ones to explain.")
@click.option(
    "--base",
    metavar="VERSION",
    default="auto",
    help="Compare with a git revision, else a path (./NAME): a directory or a diff.",
)
@click.option("--commits", metavar="A..B", help="Find the commit after A, up to B, that makes tests fail.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, as 'regreen fix --json' does.")
@click.option("-v", "--verbose", is_flag=True, help="Say what happens.")
@table_options("Tests", "Sandbox", "Limits of the sandbox")
@click.option("--test-command", metavar="COMMAND", help="Runs the tests; else found.")
@click.option("--time-budget", metavar="TIME", help="For the whole, without building the environment: 5m.")
@click.pass_context
def culprit(
    context: click.Context,
    /,
    *,
    base: str,
    commits: str | None,
    as_json: bool,
    verbose: bool,
    **options: object,
) -> None:
    """Find the smallest part of a change without which the failing tests of the project at PATH pass.

    The project is compared with the version that --base names; in a git checkout with HEAD, where its branch
    begins, or HEAD's parent. The tests run in the sandbox, without parts of the change. Exit status: 0 and a
    line PATH:FIRST-LAST for each part, 1 where no part makes the difference.

    With --commits, versions of a git checkout run in the sandbox, and each line is a commit's id and subject.
    """
    from rich.console import Console

    from bot.agent.state import CULPRIT
    from bot.config import sources
    from bot.console import ConsoleProgress

    settings = replace(sources.load({**options, "base": base}), strategy=CULPRIT)
    console = Console(stderr=True)
    explain = _commits if commits else _part
    with ConsoleProgress(console, verbose=verbose) as progress:
        data, lines, said, found = explain(settings, progress, commits or "")
    if as_json:
        write_out(f"{json.dumps(data, indent=2)}\n".encode("ascii"))
    elif found:
        write_out("".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace"))
    for sentence in said:
        console.print(sentence, markup=False, highlight=False, soft_wrap=True)
    context.exit(0 if found else 1)


_Answer = tuple[Mapping[str, object], list[str], list[str], bool]


def _part(settings: Settings, progress: Progress, _range: str) -> _Answer:
    """The JSON object, the lines, the sentences, and whether there is a culprit."""
    from bot import compose
    from bot.console import plain
    from bot.delivery.json_report import plain_data

    result = compose.fix(settings, progress).result
    found = result.culprit
    lines = [f"{plain(path, 1_000)}:{first}-{last}" for path, (first, last) in found.lines] if found else []
    said = plain(found.sentence if found else result.reason, 1_000)
    return plain_data(result), lines, [said], found is not None


def _commits(settings: Settings, progress: Progress, wanted: str) -> _Answer:
    """The same of the commits in the range ``wanted``, whose versions run in the project's environment."""
    from bot import compose
    from bot.console import plain
    from bot.environments.versions.culprit_commit import CommitVersions, culprit_commits, failing_tests
    from bot.environments.versions.history import commits_between
    from bot.triage.log import judge, scan
    from sandbox.snapshot import take

    commits = commits_between(settings.project, wanted)
    snapshot = take(settings.project)
    answer = judge(scan(settings.log), snapshot.files) if settings.log else None
    last = commits[-1].id
    with ExitStack() as resources:
        chosen = compose.choose(settings, snapshot, progress, resources=resources, answer=answer)
        end = time.monotonic() + settings.time_budget
        versions = CommitVersions(
            project=settings.project,
            beds=chosen.beds,
            progress=progress,
            is_late=lambda: time.monotonic() > end,
        )
        culprits: tuple[CulpritCommit, ...] = ()
        runs, reason = 0, f"no test fails at {last[:12]}"
        if failing := failing_tests(versions, last, chosen.way.tests):
            culprits, versions, reason = culprit_commits(commits, versions, failing)
            runs = versions.runs
    lines = [f"{one.commit.id} {plain(one.commit.subject)}" for one in culprits]
    said = [plain(one.sentence, 1_000) for one in culprits] or [plain(reason, 1_000)]
    data = {
        "version": 1,
        "commits": [
            {**asdict(one.commit), "tests": list(one.tests), "unclear": [early.id for early in one.unclear]}
            for one in culprits
        ],
        "reason": reason,
        "between": len(commits) - 1,
        "runs": runs,
    }
    return data, lines, said, bool(culprits)
