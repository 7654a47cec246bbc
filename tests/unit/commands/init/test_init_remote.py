"""Whose Regreen a workflow uses: as a workflow there does, or as Regreen's own checkout comes from."""

import pytest
from every_case import every_case
from init_support import workflow

from bot.commands.init.remote import Remote, installed_from, read_place, remote_of

CI = {".github/workflows/ci.yml": workflow()}
WRITTEN = ".github/workflows/regreen.yml"


def config(url, name="origin"):
    fetch = "\tfetch = +refs/heads/*\n"
    return f'[core]\n\tbare = false\n[remote "{name}"]\n\turl = {url}\n{fetch}[branch "main"]\n'


def checkout(top, url, name="origin"):
    (top / ".git").mkdir(parents=True, exist_ok=True)
    (top / ".git/config").write_text(config(url, name))
    return top


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Regreen's own checkout."""
    top = tmp_path / "own"
    monkeypatch.setattr("bot.commands.init.files.OWN_CHECKOUT", top)
    return top


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://github.com/octo/app.git", "github.com"),
        ("https://github.com/octo/app", "github.com"),
        ("https://x-access-token:abc@github.com/octo/app.git", "github.com"),
        ("git@github.com:octo/app.git", "github.com"),
        ("ssh://git@ghe.example:2222/octo/app.git", "ghe.example"),
        ("GitHub.com:octo/app/", "github.com"),
    ],
)
def test_a_remote_says_where_a_checkout_lies(tmp_path, url, host):
    assert remote_of(checkout(tmp_path, url)) == Remote(host=host, name="octo/app")


@every_case(
    "url",
    [
        *("", "/srv/git/app.git", "../app", "file:///srv/app", "https://github.com/octo", "--upload-pack=x"),
        *("ext::sh -c id", "https://github.com/octo/..", "https://github.com/octo/a${{x}}"),
        "https://github.com/a/b/c",
    ],
)
def test_anything_else_is_no_place(url):
    assert read_place(url) is None


def test_an_only_remote_of_another_name_counts(tmp_path):
    assert remote_of(checkout(tmp_path, "https://github.com/octo/app", "upstream")).name == "octo/app"


def test_a_second_work_tree_has_the_remote_of_the_first(tmp_path):
    first = checkout(tmp_path / "first", "https://github.com/octo/app")
    (first / ".git/worktrees/second").mkdir(parents=True)
    (first / ".git/worktrees/second/commondir").write_text("../..\n")
    (tmp_path / "second").mkdir()
    (tmp_path / "second/.git").write_text(f"gitdir: {first}/.git/worktrees/second\n")
    assert remote_of(tmp_path / "second").name == "octo/app"


@pytest.mark.parametrize(
    ("noted", "name"),
    [
        ('{"url": "https://github.com/fixers/regreen", "vcs_info": {"vcs": "git"}}', "fixers/regreen"),
        ('{"url": "https://github.com/fixers/regreen/archive/v0.zip", "archive_info": {}}', None),
        ('{"url": "file:///home/dev/regreen", "dir_info": {"editable": true}}', None),
        ("[]", None),
        ("{", None),
        (None, None),
    ],
)
def test_an_installation_by_git_says_where_it_comes_from(monkeypatch, noted, name):
    class Installed:
        def read_text(self, file):
            assert file == "direct_url.json"
            return noted

    monkeypatch.setattr("bot.commands.init.remote.distribution", lambda _: Installed())
    found = installed_from()
    assert (found.name if found else None) == name


def test_what_is_not_installed_or_no_checkout_comes_from_nowhere(tmp_path):
    assert installed_from("no-such-package") is None
    assert remote_of(tmp_path) is None


def test_init_uses_regreen_from_where_it_comes_from(repository, init, own):
    checkout(own, "https://github.com/fixers/regreen.git")
    top = checkout(repository(CI), "git@github.com:octo/app.git")
    status, _, err = init(top, "--comments")
    assert status == 0
    assert "uses: fixers/regreen/.github/workflows/repair.yml@v0" in (top / WRITTEN).read_text()
    assert "OWNER" not in (top / WRITTEN).read_text() + err
    assert "https://github.com/octo/app/settings/actions" in err


def test_init_keeps_what_a_workflow_there_uses(repository, init, own):
    checkout(own, "https://github.com/fixers/regreen.git")
    there = "on: push\njobs:\n  a:\n    uses: acme/regreen/.github/workflows/repair.yml@v0.3\n"
    top = repository({**CI, ".github/workflows/other.yml": there})
    assert init(top)[0] == 0
    assert "uses: acme/regreen/.github/workflows/repair.yml@v0.3" in (top / WRITTEN).read_text()


def test_another_server_has_no_such_regreen(repository, init, own):
    checkout(own, "https://github.com/fixers/regreen.git")
    top = checkout(repository(CI), "https://ghe.example/octo/app")
    assert "replace OWNER/regreen" in init(top)[2]


def test_who_says_whose_it_is_decides(repository, init, own):
    checkout(own, "https://github.com/fixers/regreen.git")
    top = repository(CI)
    assert init(top, "--action", "octo/regreen@v1")[0] == 0
    assert "uses: octo/regreen/" in (top / WRITTEN).read_text()
