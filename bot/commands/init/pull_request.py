"""Opens the pull request that sets Regreen up; the checkout stays as it is."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from typing import TYPE_CHECKING

from bot.commands.init.files import CONFIGURATION, GITHUB, pull_request_body
from bot.commands.init.look import RepositoryFindings
from bot.commands.init.remote import Remote, remote_of
from bot.errors import ConfigurationError, Unprocessable
from bot.github.connection import DEFAULT_API_URL

if TYPE_CHECKING:
    from bot.github.client import GitHub

BRANCH = "set-up-regreen"
TITLE = "Set up Regreen"
_GH_SECONDS = 20


def open_pull_request(findings: RepositoryFindings, files: Mapping[str, str], *, force: bool) -> str:
    """Open a pull request with ``files`` (path to text); its address, empty where nothing is to be changed.

    A workflow of the default branch is replaced with ``force`` only, its configuration never.

    Raises:
        ConfigurationError: no token, no remote, another workflow is there, or the branch is taken.
        GitHubError: GitHub refuses or fails.
    """
    from bot.github.client import connect  # a third of a second

    remote = remote_of(findings.top)
    if remote is None:
        raise ConfigurationError(
            "no pull request can be opened: the checkout has no remote on GitHub; add one by "
            "'git remote add origin URL', or leave --pull-request out"
        )
    with connect(repository=remote.name, token=_token(remote), api_url=_api_url(remote)) as github:
        return _opened(github, findings, files, force=force)


def _opened(github: GitHub, findings: RepositoryFindings, files: Mapping[str, str], *, force: bool) -> str:
    base = github.default_branch()
    head = github.branch_head(base)
    if head is None:
        raise ConfigurationError(f"the repository has no commit on its default branch {base}: push one first")
    standing = [pull for pull in github.pulls_from(BRANCH) if pull.state == "open"]
    if standing:
        return standing[0].url
    changes = _changes(github, head, files, force=force)
    if not changes:
        return ""
    sha = github.commit(parent=head, files=changes, message=TITLE)
    try:
        github.create_branch(BRANCH, sha)
    except Unprocessable as error:
        raise ConfigurationError(
            f"the branch {BRANCH} is there already: delete it, or open its pull request yourself"
        ) from error
    body = pull_request_body(findings, list(changes))
    return github.open_pull(title=TITLE, body=body, head=BRANCH, base=base, draft=False).url


def _changes(github: GitHub, head: str, files: Mapping[str, str], *, force: bool) -> dict[str, bytes]:
    there = {path: github.file(path, ref=head) for path in files}
    kept = CONFIGURATION if there.get(CONFIGURATION) is not None else ""
    wanted = {path: text.encode() for path, text in files.items() if path != kept}
    taken = [path for path, content in wanted.items() if there[path] not in {None, content}]
    if taken and not force:
        raise ConfigurationError(
            f"{' and '.join(taken)} {'is' if len(taken) == 1 else 'are'} on the default branch already, and "
            "no pull request was opened: --force replaces what is there"
        )
    return {path: data for path, data in wanted.items() if there[path] != data}


def _token(remote: Remote) -> str:
    """A token that may write: the environment's, else that of GitHub's command line."""
    for name in ("GITHUB_TOKEN", "GH_TOKEN"):
        if value := os.environ.get(name, "").strip():
            return value
    program = shutil.which("gh")
    if program:
        words = [program, "auth", "token", "--hostname", remote.host]
        try:
            done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=_GH_SECONDS)
        except (OSError, subprocess.TimeoutExpired):
            done = None
        if done and done.returncode == 0 and done.stdout.strip():
            return done.stdout.strip()
    raise ConfigurationError(
        "no token for GitHub: log in by 'gh auth login', or set GITHUB_TOKEN to a token that may write "
        "contents, pull requests and workflows"
    )


def _api_url(remote: Remote) -> str:
    if given := os.environ.get("GITHUB_API_URL", ""):
        return given
    return DEFAULT_API_URL if remote.host == GITHUB else f"https://{remote.host}/api/v3"
