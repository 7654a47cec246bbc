"""A history with a commit that broke something, measured from end to end."""

import pytest
from click.testing import CliRunner
from git_history import bare_clone, commit

from benchmarks.__main__ import cli
from benchmarks.runs import pins, runfile

SHELF = "class Shelf:\n    room = 2\n\n    def holds(self, count):\n        return count <= self.room\n"
TESTS = "from shelf import Shelf\n\n\ndef test_one():\n    assert Shelf().holds(1)\n"
FULL = TESTS + "\n\ndef test_full():\n    assert Shelf().holds(2)\n"


@pytest.mark.slow
def test_what_a_commit_broke_is_repaired_with_the_version_before_and_alone(
    tmp_path, monkeypatch, project_environment
):
    monkeypatch.setattr(pins, "code_digest", lambda: "the code of this test")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    work, clones, suspects = tmp_path / "work", tmp_path / "clones", tmp_path / "suspects.csv"
    commit(work, {"shelf.py": SHELF, "tests/test_shelf.py": TESTS}, "Start")
    broken = commit(work, {"shelf.py": SHELF.replace("<=", "<")}, "Tidy up")
    fix = commit(work, {"shelf.py": SHELF, "tests/test_shelf.py": FULL}, "Fix a regression with a full shelf")
    commit(work, {"shelf.py": SHELF.replace("2", "3")}, "More room")
    other = commit(
        work, {"shelf.py": SHELF, "tests/test_shelf.py": FULL + "\n"}, "Fix a regression that nothing shows"
    )
    bare_clone(work, clones, "someone/shelf")

    def run(*words):
        done = CliRunner().invoke(cli, ["fixes", *map(str, words)], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.output

    run("mine", clones, "--output", tmp_path / "corpus.csv")
    assert "2 commits of 1 repositories" in run(
        "suspects", clones, "--corpus", tmp_path / "corpus.csv", "--output", suspects
    )
    place = ["--sandbox", "process", "--python", project_environment / "bin/python", "--workers", "1"]
    output = tmp_path / "run.jsonl"
    said = run("regressions", clones, "--suspects", suspects, *place, "--output", output)
    assert "1 of 2 suspected commits broke a test of the fix" in said
    rows = {row["task"]: row for row in runfile.read(output).rows}
    shown = rows[f"someone/shelf@{broken[:12]}/{fix[:12]}"]
    assert (shown["outcome"], shown["broken"]) == ("patched", 1)
    assert shown["base"]["culprit"]["right"]
    assert "count <= self.room" in shown["base"]["diff"]
    assert "count <= self.room" in shown["alone"]["diff"]
    (unshown,) = (row for name, row in rows.items() if name.endswith(other[:12]))
    assert unshown["outcome"] == "not shown"
