"""The table in docs/github.md, held against what GitHub asks for: enough, and no more than that."""

import itertools
import re
from pathlib import Path

import pytest
from every_case import every_case
from github_fixture import FULL_NAME, bench

from bot.errors import PermissionDenied
from bot.github.client import GitHub, connect
from bot.github.records import LineComment

PAGE = Path(__file__).parents[3] / "docs" / "github.md"
_ROW = re.compile(r"^\| (?P<use>[^|]+) \| (?P<needs>[^|]+) \|$", re.MULTILINE)
_PERMISSION = re.compile(r"`([a-z-]+): (read|write)`")


def _read_pull(github: GitHub, sha: str, run: int) -> None:
    assert github.pulls_at(sha)
    assert github.changed_files(1)
    github.comments(1)
    github.newest_comments()
    assert github.merge_attempt(1).sha


def _read_files(github: GitHub, sha: str, run: int) -> None:
    assert github.archive(sha, limit=1_000_000)
    assert github.file("app.py", ref="main")
    merge = github.branch_head("main")
    assert merge
    assert github.read_commit(merge).committed_at


def _read_runs(github: GitHub, sha: str, run: int) -> None:
    (job,) = github.failed_jobs(run)
    assert job.labels == ("ubuntu-latest",)
    assert github.job_log(job.id, limit=10)
    assert github.conclusion_at(sha)


def _suggest(github: GitHub, sha: str, run: int) -> None:
    comment = LineComment(path="app.py", start=1, end=1, body="so")
    github.review(1, sha=sha, body="", comments=[comment])
    github.review_comment(1, sha=sha, comment=comment)


def _comment(github: GitHub, sha: str, run: int) -> None:
    comment = github.comment(1, "one")
    github.react(comment.id)
    github.update_comment(comment.id, "two")


def _commit(github: GitHub, sha: str, run: int) -> None:
    new = github.commit(parent=sha, files={"app.py": b"fixed\n"}, message="Fix")
    github.move_branch("feature", new, expected=sha)


def _open_pull(github: GitHub, sha: str, run: int) -> None:
    new = github.commit(parent=sha, files={"app.py": b"fixed\n"}, message="Fix")
    github.create_branch("regreen/fix", new)
    pull = github.open_pull(
        title="t", body="b", head="regreen/fix", base="feature", draft=True, labels=["regreen"]
    )
    assert pull.labels == ("regreen",)
    github.update_pull(pull.number, state="closed")


def _check(github: GitHub, sha: str, run: int) -> None:
    assert github.check_run(sha=sha, conclusion="neutral", title="t", summary="s").startswith("https://")


USES = {
    "find the pull request, read its diff and its merge": _read_pull,
    "read files and commits, the base branch's configuration": _read_files,
    "read failed jobs with their runners' labels and their logs": _read_runs,
    "read what somebody may do here": lambda github, sha, run: github.permission_of("octo"),
    "suggest changes on lines": _suggest,
    "comment on a pull request, react to a comment": _comment,
    "write a check run": _check,
    "open a pull request with a fix": _open_pull,
    "commit onto a branch of this repository": _commit,
    "delete a branch that is no longer needed": lambda github, sha, run: github.delete_branch("feature"),
}
_SECTION = PAGE.read_text(encoding="utf-8").partition("\n## Permissions\n")[2].partition("\n## ")[0]
TABLE = {row["use"]: row["needs"] for row in _ROW.finditer(_SECTION) if "---" not in row["use"]}
del TABLE["use"]


def _choices(needs: str) -> list[dict[str, str]]:
    """Each set of permissions that is said to be enough."""
    parts = [_PERMISSION.findall(part) for part in needs.split(", ")]
    return [dict(chosen) for chosen in itertools.product(*(part for part in parts if part))]


def _try(use: str, permissions: dict[str, str]) -> None:
    with bench() as here:
        world = here.server.world
        sha = world.push(here.repository, "feature", {"app.py": b"new\n"})
        world.pull(here.repository, "feature")
        run = world.run(here.repository, sha)
        world.job(run, log=b"log")
        token = world.actions_token({name.replace("-", "_"): level for name, level in permissions.items()})
        with connect(repository=FULL_NAME, token=token, api_url=here.server.url) as client:
            USES[use](client, sha, run.id)


def test_the_table_has_every_use():
    assert set(TABLE) == set(USES)


@every_case("use", USES)
def test_what_the_table_names_is_enough(use):
    for permissions in _choices(TABLE[use]):
        _try(use, permissions)


@every_case("use", USES)
def test_less_than_the_table_names_is_not(use):
    for permissions in _choices(TABLE[use]):
        for lacking, level in permissions.items():
            less = {**permissions, lacking: "read" if level == "write" else "none"}
            with pytest.raises(PermissionDenied, match=f"{lacking}: {level}"):
                _try(use, less)
