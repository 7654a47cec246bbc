"""GitHub's part of ``regreen doctor``: is it reached, what may the token read, is Regreen set up there.

It only reads. Whether a token may write cannot be seen without writing, so what that takes is listed instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from bot.commands.doctor.diagnosis import Line, Section, note, ok, problem
from bot.config import sources
from bot.config.action_settings import GitHubPlace
from bot.config.settings import Settings
from bot.errors import GitHubError, RegreenError

if TYPE_CHECKING:
    from bot.github.client import GitHub

TITLE = "GitHub"
WORKFLOW = ".github/workflows/regreen.yml"
LONGEST_WAIT_S = 10.0
WRITING = (
    "not tried, since that would write: suggestions take `pull-requests: write`, a branch or a pull request "
    "with the patch `contents: write` too; docs/github.md lists all"
)


def check_github(settings: Settings, place: GitHubPlace | None, notify: Callable[[str], None]) -> Section:
    """Look at the repository that ``place`` names, with the token of ``settings``."""
    token = settings.secrets.github_token
    if place is None or not token:
        missing = "GITHUB_REPOSITORY" if token else "GITHUB_TOKEN"
        detail = f"{missing} is not set: only the Action needs it, and GitHub Models a token"
        return Section(title=TITLE, lines=[note("token", detail)])
    from bot.github.client import connect
    from bot.github.retry import Waits

    notify(f"asking {place.api_url}")
    try:
        waits = Waits(left=LONGEST_WAIT_S)
        with connect(repository=place.repository, token=token, api_url=place.api_url, waits=waits) as github:
            lines = _lines(settings, github)
    except RegreenError as error:
        lines = [problem(place.repository, str(error))]
    return Section(title=TITLE, lines=lines)


def _lines(settings: Settings, github: GitHub) -> list[Line]:
    """What holds for the repository; nothing else is asked where it cannot be seen at all.

    Raises:
        GitHubError: the repository cannot be seen.
    """
    branch = github.default_branch()
    head = github.branch_head(branch) or branch
    return [
        ok(github.repository, f"is seen; its default branch is {branch}"),
        _may("pull requests", "their diffs can be read", github.open_pulls),
        _may("runs", "failed jobs can be found", lambda: github.runs_at(head)),
        *_set_up(github, settings.action.config_path, head),
        note("writing", WRITING),
    ]


def _may(name: str, detail: str, read: Callable[[], object]) -> Line:
    try:
        read()
    except GitHubError as error:
        return problem(name, str(error))
    return ok(name, detail)


def _set_up(github: GitHub, path: str, head: str) -> Iterator[Line]:
    """Whether the workflow and the file of options are there, and whether the latter can be used."""
    try:
        workflow, content = (github.file(one, ref=head) for one in (WORKFLOW, path))
    except GitHubError as error:
        yield problem("files", str(error))
        return
    if workflow is not None:
        yield ok(WORKFLOW, "is on the default branch")
    else:
        missing = "is not on the default branch; another file may hold the workflow"
        yield note(WORKFLOW, missing, advice="'regreen init' in a checkout writes it")
    if content is None:
        yield note(path, "is not there: the defaults hold")
        return
    try:
        sources.check_file(path, content)
    except RegreenError as error:
        yield problem(path, str(error))
    else:
        yield ok(path, "can be used")
