"""Changes that brought a fault are found by the lines of their fix, and repaired with the version before."""

import csv
import json
import subprocess

import pytest
from click.testing import CliRunner

from benchmarks.__main__ import cli

RIGHT = "class Shelf:\n    room = 3\n\n    def holds(self, count):\n        return count <= self.room\n"
WRONG = RIGHT.replace("count <= self.room", "count < self.room").replace("room = 3", "room = 4")
FIXED = WRONG.replace("count < ", "count <= ")
TEST = "from shelf import Shelf\n\n\ndef test_full():\n    assert Shelf().holds(Shelf.room)\n"


def git(place, *words):
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", "-C", place, *identity, *words], check=True, capture_output=True)


@pytest.fixture
def clones(tmp_path):
    """A history: the start, a change that brings a fault, and its fix with a test."""
    place = tmp_path / "work"
    (place / "tests").mkdir(parents=True)
    git(place, "init")
    for subject, code, test in (
        ("Start", RIGHT, ""),
        ("Make room", WRONG, ""),
        ("Fix a full shelf", FIXED, TEST),
    ):
        (place / "shelf.py").write_text(code)
        (place / "tests" / "test_shelf.py").write_text(test)
        git(place, "add", "-A")
        git(place, "commit", "--allow-empty-message", "-m", subject)
    clone = tmp_path / "clones" / "someone+shelf" / "repo"
    clone.parent.mkdir(parents=True)
    git(tmp_path, "clone", "--bare", "work", str(clone))
    return tmp_path / "clones"


@pytest.mark.slow
def test_a_change_is_found_by_its_fix_and_repaired_with_the_version_before(clones, tmp_path):
    def run(*words):
        done = CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.output

    corpus, listed, rows = tmp_path / "corpus.csv", tmp_path / "origins.csv", tmp_path / "rows.jsonl"
    run("fixes", "mine", clones, "--output", corpus)
    assert "1 changes of 1 repositories" in run(
        "changes", "mine", clones, "--corpus", corpus, "--output", listed
    )
    (origin,) = csv.DictReader(listed.read_text().splitlines())
    assert origin["changed"] == "4"
    options = ("--sandbox", "process", "--time-budget", "40", "--output", rows)
    said = run("changes", "repair", clones, "--origins", listed, *options)
    (row,) = map(json.loads, rows.read_text().splitlines())
    assert row["outcome"] == "shown"
    assert row["with base"]["culprit"] == 1
    assert "count <= self.room" in row["with base"]["diff"]
    assert "count <= self.room" in row["without"]["diff"]
    assert "a culprit in 1, of 1 lines in the median; 0 of 1 could not be shown here" in said
    run("changes", "repair", clones, "--origins", listed, *options)
    assert len(rows.read_text().splitlines()) == 1, "what was done is not done again"
