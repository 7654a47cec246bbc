"""``regreen culprit`` and ``regreen fix --base`` as a user runs them: a checkout, a sandbox, commits."""

import json

import pytest
from git_history import commit
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
TESTS = sections("sources/culprit.txt")[0].parts["TESTS"]


@pytest.fixture
def checkout(tmp_path):
    """A repository with a change of three lines, one of which breaks a test."""
    top = tmp_path / "project"
    for shop in (SHOP, CHANGED):
        commit(top, {"shop.py": shop, "test_shop.py": TESTS})
    return top


@pytest.fixture
def run(run_regreen):
    def run(command, project, *options):
        done = run_regreen(command, project, *options)
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


def history(top):
    """Eight commits, of which one breaks a test; the first and that one."""
    first = commit(top, {"shop.py": SHOP, "test_shop.py": TESTS.replace("new: 1", "old: 1")})
    guilty = ""
    for number in range(7):
        text = f"{SHOP}\n\nX = {number}\n"
        shop = text.replace("- extra", "+ extra") if number > 3 else text
        made = commit(top, {"shop.py": shop}, f"number {number}")
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


def test_an_outdated_test_is_printed_with_its_new_value_and_not_applied(run, tmp_path):
    """As a user asks for it, from a directory below the repository's top."""
    top = tmp_path / "top"
    new = 'def label(n):\n    return "new: " + str(n)\n'
    old_test = 'from m import label\n\n\ndef test_old():\n    assert label(1) == "old: 1"\n'
    new_test = 'from m import label\n\n\ndef test_new():\n    assert label(1) == "new: 1"\n'
    commit(top, {"part/m.py": new.replace("new", "old"), "part/test_old.py": old_test})
    commit(top, {"part/m.py": new, "part/test_old.py": old_test, "part/test_new.py": new_test})
    status, out, err = run("fix", top / "part", "--apply")
    assert (status, out) == (1, "")
    assert "'fix-tests: print' in a configuration file" in err
    (tmp_path / "options.yml").write_text("fix-tests: print\n")
    status, out, err = run("fix", top / "part", "--apply", "--config", tmp_path / "options.yml")
    assert status == 1
    assert "changes what tests expect, and no code" in err
    assert "--- a/part/test_old.py" in out
    assert out.endswith('-    assert label(1) == "old: 1"\n+    assert label(1) == "new: 1"\n')
    assert (top / "part" / "test_old.py").read_text() == old_test
