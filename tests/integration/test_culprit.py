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


def test_the_line_is_named_and_the_sentence_goes_to_standard_error(run, checkout):
    status, out, err = run("culprit", checkout)
    assert (status, out) == (0, "shop.py:4-4\n")
    assert "shop.py:4: 1 of 3 changed lines makes the difference" in err
    assert "the parent of HEAD" in err


def test_as_json(run, checkout):
    _, out, _ = run("culprit", checkout, "--json")
    culprit = json.loads(out)["culprit"]
    assert culprit["lines"] == [{"path": "shop.py", "first": 4, "last": 4}]
    assert culprit["tests"] == ["test_shop.py::test_price"]


def test_without_a_version_to_compare_with_it_says_so(run, checkout):
    status, out, err = run("culprit", checkout, "--base", "none")
    assert (status, out) == (1, "")
    assert "see --base" in err


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


def test_a_damaged_repository_costs_the_base_and_not_the_repair(run, checkout):
    for file in (checkout / ".git" / "objects").rglob("*"):
        if file.is_file():
            file.chmod(0o644)
            file.write_bytes(b"damaged")
    status, _, err = run("fix", checkout, "-v")
    assert status == 0
    assert "none to compare with: git" in err
