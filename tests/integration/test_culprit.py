"""``regreen culprit`` and ``regreen fix --base`` as a user runs them: a checkout, a sandbox, commits."""

import json
import os

import pytest
from dulwich import porcelain
from dulwich.repo import Repo
from sections import sections

SHOP = """\
def price(amount, extra):
    if amount < 0:
        return 0
    return amount * 3 - extra


def label(amount):
    return "old: " + str(amount)
"""
CHANGED = SHOP.replace("old: ", "new: ").replace("- extra", "+ extra").replace("amount < 0", "amount <= 0")
SOURCES = sections("sources/culprit.txt")[0].parts
TESTS = SOURCES["TESTS"]
AUTHOR = b"A <a@example.org>"


@pytest.fixture
def checkout(tmp_path, monkeypatch, project_environment):
    """A repository with a change of three lines, one of which breaks a test."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("VIRTUAL_ENV", str(project_environment))
    top = tmp_path / "project"
    with Repo.init(str(top), mkdir=True, default_branch=b"main") as repository:
        for shop in (SHOP, CHANGED):
            (top / "shop.py").write_text(shop)
            (top / "test_shop.py").write_text(TESTS)
            porcelain.add(repository, [str(top / "shop.py"), str(top / "test_shop.py")])
            porcelain.commit(repository, message=b"m", author=AUTHOR, committer=AUTHOR)
    return top


@pytest.fixture
def run(regreen):
    def run(command, project, *options):
        done = regreen(command, project, "--sandbox", "process", *options, environment=dict(os.environ))
        # Of what goes to a terminal, lines may be wrapped.
        return done.returncode, done.stdout.decode(), " ".join(done.stderr.decode().split())

    return run


@pytest.mark.slow
def test_the_line_is_named_and_the_sentence_goes_to_standard_error(run, checkout):
    status, out, err = run("culprit", checkout)
    assert (status, out) == (0, "shop.py:4-4\n")
    assert "shop.py:4: 1 of 3 changed lines makes the difference" in err
    assert "the parent of HEAD" in err
    _, out, _ = run("culprit", checkout, "--json")
    culprit = json.loads(out)["culprit"]
    assert culprit["lines"] == [{"path": "shop.py", "first": 4, "last": 4}]
    assert culprit["tests"] == ["test_shop.py::test_price"]


def test_a_change_that_is_not_to_blame_is_acquitted(run, checkout):
    (checkout / "shop.py").write_text(CHANGED.replace("new: ", "newer: "))
    (checkout / "test_shop.py").write_text(TESTS.replace('"new: 1"', '"other: 1"').replace("== 5", "== 7"))
    status, _, err = run("culprit", checkout)
    assert status == 1
    assert "no part of the change since HEAD makes the difference" in err


def test_the_repair_names_the_culprit_and_takes_back_no_more_than_that(run, checkout):
    status, out, err = run("fix", checkout)
    assert status == 0
    changed = [line for line in out.splitlines() if line.startswith(("+", "-"))]
    assert changed[2:] == ["-    return amount * 3 + extra", "+    return amount * 3 - extra"]
    assert "culprit" in err


def commit(top, message="m", **files):
    """Write ``files``, by the stems of their names, and commit them; the commit's id."""
    with Repo(str(top)) as repository:
        for stem, text in files.items():
            (top / f"{stem}.py").write_text(text)
            porcelain.add(repository, [str(top / f"{stem}.py")])
        made = porcelain.commit(repository, message=message.encode(), author=AUTHOR, committer=AUTHOR)
    return made.decode()


def history(top):
    """Eight commits, of which one breaks a test; the first and that one."""
    first = commit(top, shop=SHOP, test_shop=TESTS.replace("new: 1", "old: 1"))
    guilty = ""
    for number in range(7):
        text = SHOP + f"\n\nX = {number}\n"
        made = commit(
            top, f"number {number}", shop=text.replace("- extra", "+ extra") if number > 3 else text
        )
        guilty = made if number == 4 else guilty
    return first, guilty


@pytest.mark.slow
def test_the_commit_that_made_a_test_fail_is_found(run, checkout):
    first, guilty = history(checkout)
    status, out, err = run("culprit", checkout, "--commits", f"{first}..HEAD")
    assert (status, out) == (0, f"{guilty} number 4\n")
    assert f"{guilty[:12]} (number 4; " in err
    assert "one test fails from this commit on" in err
    status, out, _ = run("culprit", checkout, "--commits", f"{first}..", "--json")
    found = json.loads(out)
    assert [one["id"] for one in found["commits"]] == [guilty]
    assert found["commits"][0]["tests"] == ["test_shop.py::test_price"]
    assert (found["between"], found["runs"]) == (7, 4)


@pytest.mark.parametrize(
    ("wanted", "status", "said"),
    [
        ("HEAD..HEAD", 2, "there is no commit after"),
        ("nowhere..HEAD", 2, "git has no version"),
        ("v1", 2, "name a range"),
    ],
)
def test_what_is_no_range_is_one_sentence(run, checkout, wanted, status, said):
    found, out, err = run("culprit", checkout, "--commits", wanted)
    assert (found, out) == (status, "")
    assert said in err
