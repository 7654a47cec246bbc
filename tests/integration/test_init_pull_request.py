"""``regreen init --pull-request`` against a GitHub over HTTP."""

import json

import pytest
from github_fixture import FULL_NAME, bench

from bot import cli
from bot.commands.init.files import CONFIGURATION, WORKFLOW
from bot.commands.init.pull_request import BRANCH

CI = """\
name: Tests | `x`
on: [push, pull_request]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - run: python -m pytest -v
"""
ACTION = ("--action", "octo/regreen@v0")


@pytest.fixture
def github():
    with bench() as there:
        yield there


@pytest.fixture
def run(tmp_path, monkeypatch, capsys, github):
    """Runs the command in a checkout; status, standard output and error. The checkout stays as it is."""
    monkeypatch.setenv("GITHUB_TOKEN", github.token)
    monkeypatch.setenv("GITHUB_API_URL", github.server.url)
    monkeypatch.setenv("PATH", str(tmp_path))  # no gh
    (tmp_path / "app/.github/workflows").mkdir(parents=True)
    (tmp_path / "app/.github/workflows/ci.yml").write_text(CI)
    (tmp_path / "app/app.py").write_text("x = 1\n")
    (tmp_path / "app/.git").mkdir()
    (tmp_path / "app/.git/config").write_text(f'[remote "origin"]\n\turl = git@github.com:{FULL_NAME}.git\n')
    before = sorted(tmp_path.rglob("*"))

    def called(*options):
        status = cli.run(["init", str(tmp_path / "app"), "--pull-request", *options])
        assert sorted(tmp_path.rglob("*")) == before
        return status, *capsys.readouterr()

    return called


def pulls(github):
    return [one for one in github.repository.issues.values() if one.pull]


def test_it_opens_a_pull_request_with_the_files_once(run, github):
    status, out, err = run(*ACTION)
    (pull,) = pulls(github)
    assert (status, pull.pull.head_ref) == (0, BRANCH)
    assert out.strip().endswith(f"/pull/{pull.number}")
    assert "read it, then merge it" in err
    assert b"uses: octo/regreen/" in github.client.file(WORKFLOW, ref=BRANCH)
    assert github.client.file(CONFIGURATION, ref=BRANCH)
    assert "``Tests | `x` (.github/workflows/ci.yml)``" in pull.body
    assert f"https://github.com/{FULL_NAME}/settings/actions" in pull.body
    assert run(*ACTION)[1] == out
    assert len(pulls(github)) == 1


def test_what_is_on_the_default_branch_stays(run, github):
    mine = {CONFIGURATION: b"delivery: comment\n", WORKFLOW: b"name: mine\n"}
    github.server.world.push(github.repository, "main", mine)
    status, _, err = run(*ACTION)
    assert (status, pulls(github)) == (2, [])
    assert f"{WORKFLOW} is on the default branch already" in err
    assert run("--force", "--json", *ACTION)[0] == 0
    assert github.client.file(CONFIGURATION, ref=BRANCH) == mine[CONFIGURATION]
    github.server.world.push(github.repository, "main", {WORKFLOW: github.client.file(WORKFLOW, ref=BRANCH)})
    pulls(github)[0].state = "closed"
    status, out, _ = run("--json", *ACTION)
    assert (status, json.loads(out)) == (0, {"pull_request": None})


@pytest.mark.parametrize(
    ("break_it", "said"),
    [
        (lambda set_, _: set_("GITHUB_TOKEN", ""), "no token for GitHub: log in by 'gh auth login'"),
        (lambda _, top: (top / "app/.git/config").write_text(""), "the checkout has no remote on GitHub"),
    ],
)
def test_what_is_missing_is_named(run, github, monkeypatch, tmp_path, break_it, said):
    break_it(monkeypatch.setenv, tmp_path)
    status, _, err = run(*ACTION)
    assert (status, pulls(github)) == (2, [])
    assert said in err


def test_a_pull_request_names_no_placeholder(run, github, monkeypatch, tmp_path):
    monkeypatch.setattr("bot.commands.init.files.OWN_CHECKOUT", tmp_path / "none")
    monkeypatch.setattr("bot.commands.init.files.installed_from", lambda: None)
    status, _, err = run()
    assert (status, pulls(github)) == (2, [])
    assert "by --action OWNER/REPO@TAG" in err


def test_a_branch_of_that_name_is_left_alone(run, github):
    sha = github.server.world.push(github.repository, BRANCH, {"mine.py": b"x = 1\n"})
    status, _, err = run(*ACTION)
    assert (status, pulls(github)) == (2, [])
    assert f"the branch {BRANCH} is there already" in err
    assert github.repository.branch_head(BRANCH) == sha
