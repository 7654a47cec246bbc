"""What init refuses to write, and what it leaves as it was."""

import os

import pytest
from init_support import tree, workflow

from bot.commands.init.files import CONFIGURATION, WORKFLOW

LAUGHS = "".join(f"v{n}: &v{n} [*v{n - 1}, *v{n - 1}]\n" for n in range(1, 31))


ALIASES = f"v0: &v0 [x]\n{LAUGHS}on: pull_request\n"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "no workflow here runs Python tests on a push or a pull request (.github/workflows holds none)"),
        ({".github/workflows/ci.yml": workflow(on="workflow_dispatch")}, "(there are 'Tests')"),
        ({".github/workflows/ci.yml": ALIASES}, "no workflow here runs Python tests"),
        ({".github/workflows/ci.yml": "[" * 10_000}, "no workflow here runs Python tests"),
        ({".github/workflows/ci.yml": b"\xff\xfe\x00"}, "no workflow here runs Python tests"),
        ({".github": "a file"}, "no workflow here runs Python tests"),
    ],
)
def test_a_repository_that_it_does_not_fit_is_told_why(repository, init, files, message):
    top = repository(files)
    before = tree(top)
    status, out, err = init(top)
    assert (status, out, tree(top)) == (2, "", before)
    assert message in err
    assert err.count("\n") == 1


def test_without_python_or_git_it_says_so(repository, init, tmp_path):
    top = repository({".github/workflows/ci.yml": workflow()}, git=False)
    status, _, err = init(top)
    assert status == 2
    assert "not a git repository" in err
    (top / ".git").mkdir()
    (top / "app.py").unlink()
    status, _, err = init(top)
    assert status == 2
    assert "Regreen repairs Python" in err
    assert init(tmp_path / "nowhere")[0] == 2


@pytest.mark.parametrize(
    "action", ["regreen", "a/b", "a/b@", "a/b@v1\n- x", "a/b@../c", "a b/c@v1", "-/b@v1"]
)
def test_an_action_that_cannot_be_is_refused(repository, init, action):
    top = repository({".github/workflows/ci.yml": workflow()})
    status, _, err = init(top, "--action", action)
    assert status == 2
    assert "is not written as OWNER/REPOSITORY@TAG" in err
    assert not (top / WORKFLOW).exists()


@pytest.mark.parametrize("link", [CONFIGURATION, WORKFLOW])
def test_nothing_is_written_behind_a_link(repository, init, tmp_path, link):
    top = repository({".github/workflows/ci.yml": workflow()})
    (tmp_path / "elsewhere").write_text("precious")
    (top / link).symlink_to(tmp_path / "elsewhere")
    status, _, err = init(top, "--force")
    assert status == 2
    assert f"{link} is a symbolic link" in err
    assert (tmp_path / "elsewhere").read_text() == "precious"
    assert {WORKFLOW, CONFIGURATION} - {link} - set(tree(top))  # the other one neither


def test_what_is_in_the_way_is_named(repository, init):
    top = repository({".github/workflows/ci.yml": workflow()})
    (top / CONFIGURATION).mkdir()
    status, _, err = init(top, "--force")
    assert status == 2
    assert f"{CONFIGURATION} is in the way: it is no file" in err
    assert not (top / WORKFLOW).exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_where_it_cannot_write_nothing_is_written(repository, init):
    top = repository({".github/workflows/ci.yml": workflow()})
    (top / ".github").chmod(0o555)
    try:
        status, _, err = init(top)
    finally:
        (top / ".github").chmod(0o755)
    assert status == 5
    assert "cannot write the files, nothing was changed" in err
    assert not (top / WORKFLOW).exists()


def test_a_failure_half_way_takes_back_the_first_file(repository, init, monkeypatch):
    top = repository({".github/workflows/ci.yml": workflow(), WORKFLOW: "on: push\n"})
    before = tree(top)
    replace, replaced = os.replace, []

    def failing(source, target, **given):
        replaced.append(target)
        if len(replaced) == 2:
            raise OSError(28, "No space left on device")
        return replace(source, target, **given)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", failing)
        status, _, err = init(top, "--force")
    assert status == 5
    assert "nothing was changed" in err
    assert tree(top) == before
