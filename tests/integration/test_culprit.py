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


@pytest.mark.slow
def test_as_json(run, checkout):
    _, out, _ = run("culprit", checkout, "--json")
    culprit = json.loads(out)["culprit"]
    assert culprit["lines"] == [{"path": "shop.py", "first": 4, "last": 4}]
    assert culprit["tests"] == ["test_shop.py::test_price"]


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_damaged_repository_costs_the_base_and_not_the_repair(run, checkout):
    for file in (checkout / ".git" / "objects").rglob("*"):
        if file.is_file():
            file.chmod(0o644)
            file.write_bytes(b"damaged")
    status, _, err = run("fix", checkout, "-v")
    assert status == 0
    assert "none to compare with: git" in err


def commit(top, message="m", **files):
    """Write ``files``, by the stems of their names, and commit them; the commit's id."""
    with Repo(str(top)) as repository:
        for stem, text in files.items():
            (top / f"{stem}.py").write_text(text)
            porcelain.add(repository, [str(top / f"{stem}.py")])
        made = porcelain.commit(repository, message=message.encode(), author=AUTHOR, committer=AUTHOR)
    return made.decode()


@pytest.mark.slow
def test_the_answer_says_what_failed_before_and_leaves_it_alone(run, checkout):
    older = "\n\ndef test_older():\n    assert shop.label(1) == 'never'\n"
    commit(checkout, shop=SHOP, test_shop=TESTS.replace("new: 1", "old: 1") + older)
    commit(checkout, shop=SHOP.replace("- extra", "+ extra"))
    status, out, err = run("fix", checkout, "--json")
    found = json.loads(out)
    assert (status, found["outcome"]) == (0, "patched")
    assert found["before_change"] == {
        "test_shop.py::test_price": "regression",
        "test_shop.py::test_older": "failing before",
    }
    assert list(found["set_apart"]) == ["test_shop.py::test_older"]
    _, _, err = run("fix", checkout)
    assert "1 regression, 1 failing before" in err


@pytest.mark.slow
def test_an_older_failure_alone_is_repaired_since_a_person_asks(run, checkout):
    broken = SHOP.replace("- extra", "+ extra")
    commit(checkout, shop=broken, test_shop=TESTS.replace("new: 1", "old: 1"))
    commit(checkout, shop=broken + "\n\nX = 1\n")
    status, out, err = run("fix", checkout)
    assert status == 0
    assert "-    return amount * 3 + extra" in out
    assert "1 failing before" in err
    status, _, err = run("culprit", checkout)
    assert status == 1
    assert "failed before this change as well" in err


@pytest.mark.slow
def test_an_outdated_test_is_named_and_not_repaired(run, checkout):
    tests = "import shop\n\n\ndef test_one():\n    assert shop.label(1) == 'old: 1'\n"
    other = "\n\ndef test_two():\n    assert shop.label(2) == 'old: 2'\n"
    commit(checkout, shop=SHOP, test_shop=tests + other)
    commit(checkout, shop=SHOP.replace("old: ", "new: "), test_shop=tests + other.replace("old", "new"))
    status, out, _ = run("fix", checkout, "--json")
    found = json.loads(out)
    assert (status, found["outcome"], found["cause"]) == (1, "not_code", "outdated_test")
    (one,) = found["outdated"]
    assert (one["path"], one["line"], one["expected"], one["actual"]) == (
        "test_shop.py",
        5,
        "'old: 1'",
        "'new: 1'",
    )
    assert found["culprit"]["needed"] == ["test_shop.py::test_two"]


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


@pytest.mark.slow
def test_a_test_that_is_newer_than_the_commit_is_taken_back_in_time(run, checkout):
    first, guilty = history(checkout)
    new = "import shop\n\n\ndef test_new():\n    assert shop.price(3, 2) == 7\n"
    commit(
        checkout, "a test", test_shop=TESTS.replace("new: 1", "old: 1").replace("== 5", "> 0"), test_new=new
    )
    status, out, _ = run("culprit", checkout, "--commits", f"{first}..")
    assert (status, out.split(" ")[0]) == (0, guilty)


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


@pytest.mark.slow
def test_where_it_failed_all_along_no_commit_is_blamed(run, checkout):
    commit(checkout, "later", other="y = 1\n")
    status, out, err = run("culprit", checkout, "--commits", "HEAD~1..HEAD")
    assert (status, out) == (1, ""), err
    assert "none of the 1 failing tests passes at" in err
