"""GitHub's part of ``regreen doctor``, against the stand-in for GitHub."""

import pytest
from github_fixture import FULL_NAME, bench

from bot.commands.doctor.repository import check_github
from bot.config import sources


@pytest.fixture
def check(tmp_path):
    """Checks the stand-in's repository after ``push``ing files; the lines by name, as (status, detail)."""

    def run(*, permissions=None, token=None, repository=FULL_NAME, files=None):
        with bench() as here:
            if files:
                here.server.world.push(here.repository, "main", {"app.py": b"", **files})
            value = here.server.world.actions_token(permissions) if permissions else here.token
            environment = {
                "GITHUB_TOKEN": value if token is None else token,
                "GITHUB_REPOSITORY": repository,
                "GITHUB_API_URL": here.server.url,
                "HOME": str(tmp_path),
            }
            settings = sources.load({"project": tmp_path}, environment)
            section = check_github(settings, sources.github_place(environment), lambda _: None)
        return {line.name: (line.status.value, line.detail) for line in section.lines}

    return run


def test_a_token_that_may_read_everything(check):
    lines = check(
        files={".github/workflows/regreen.yml": b"on: push\n", ".github/regreen.yml": b"workers: 2\n"}
    )
    assert lines.pop("writing")[0] == "note"
    assert {status for status, _ in lines.values()} == {"ok"}
    assert lines[FULL_NAME][1] == "is seen; its default branch is main"
    assert set(lines) >= {"pull requests", "runs", ".github/workflows/regreen.yml", ".github/regreen.yml"}


def test_what_is_not_set_up_is_no_problem(check):
    lines = check()
    assert lines[".github/workflows/regreen.yml"][0] == "note"
    assert lines[".github/regreen.yml"] == ("note", "is not there: the defaults hold")


def test_a_permission_that_is_missing_is_named(check):
    lines = check(permissions={"metadata": "read", "contents": "read"})
    status, detail = lines["runs"]
    assert status == "problem"
    assert "`actions: read`" in detail
    status, detail = lines["pull requests"]
    assert status == "problem"
    assert "`pull-requests: read`" in detail


def test_a_file_of_options_that_cannot_be_used_is_a_problem_with_its_line(check):
    status, detail = check(files={".github/regreen.yml": b"\nworkers: many\n"})[".github/regreen.yml"]
    assert status == "problem"
    assert ".github/regreen.yml:2" in detail


@pytest.mark.parametrize(
    ("environment", "missing"),
    [({"token": ""}, "GITHUB_TOKEN"), ({"repository": ""}, "GITHUB_REPOSITORY")],
)
def test_outside_of_a_workflow_there_is_nothing_to_ask(check, environment, missing):
    ((status, detail),) = check(**environment).values()
    assert status == "note"
    assert detail.startswith(f"{missing} is not set")


@pytest.mark.parametrize("environment", [{"token": "ghs_wrong"}, {"repository": "no slash"}])
def test_a_token_or_a_name_that_is_wrong_is_a_problem(check, environment):
    ((status, detail),) = check(**environment).values()
    assert status == "problem"
    assert "ghs_wrong" not in detail
