"""Which commit may have broken what a fix repairs, by the history alone; and the report of repairs."""

import pytest
from git_history import bare_clone, commit

from benchmarks.fixes import real_regressions, suspects
from benchmarks.fixes.mine import Fix
from benchmarks.fixes.suspects import MAX_CHANGED, Suspect, suspect
from benchmarks.runs.runfile import Run

START = "def toll(x):\n    y = x + 1\n    return y\n\n\ndef free():\n    return 0\n"
BROKEN = START.replace("x + 1", "x - 1")
LONG = "".join(f"y{number} = 1\n" for number in range(MAX_CHANGED + 1))


class History:
    """A repository with commits, and the last one's suspect."""

    def __init__(self, root):
        self.root, self.commits, self.message = root, [], "Let it work again"

    def add(self, **files):
        named = {f"{name}.py": text for name, text in files.items()}
        self.commits.append(commit(self.root / "work", named, self.message))
        return self

    def suspect(self):
        clone = bare_clone(self.root / "work", self.root / "clones", "someone/toll")
        return suspect(clone, Fix("someone/toll", self.commits[-1], "toll.py", 1, 1))


@pytest.fixture
def history(tmp_path):
    return History(tmp_path).add(toll=START, other="x = 1\n")


def test_the_commit_that_wrote_the_line_last_is_suspected(history):
    history.add(toll=BROKEN).add(other="x = 2\n").add(toll=START)
    broken, fix = history.commits[1][:12], history.commits[-1][:12]
    assert history.suspect() == Suspect("someone/toll", broken, fix, "toll.py", 2, 2)


def test_lines_that_are_only_added_are_looked_for_on_both_sides(history):
    history.add(toll=BROKEN).add(toll=BROKEN.replace("    y = x", "    x = abs(x)\n    y = x"))
    found = history.suspect()
    assert (found.commit, found.first, found.last) == (history.commits[1][:12], 2, 2)


@pytest.mark.parametrize(
    "files",
    [
        {"toll": BROKEN, "other": LONG},  # too large to be looked at
        {"toll": BROKEN, "binary": "x = 1\n" * (MAX_CHANGED + 1)},
    ],
)
def test_a_large_commit_is_not_suspected(history, files):
    assert history.add(**files).add(toll=START).suspect() is None


def test_the_first_commit_of_all_is_not_suspected(history):
    assert history.add(toll=BROKEN).suspect() is None


def test_what_never_worked_has_no_suspect(history):
    history.add(toll=BROKEN).message = "Fix the toll"
    assert history.add(toll=START).suspect() is None


def test_what_is_no_file_of_the_commit_has_no_suspect(history):
    clone = bare_clone(history.root / "work", history.root / "clones", "someone/toll")
    assert suspect(clone, Fix("someone/toll", history.commits[0], "missing.py", 1, 1)) is None


def test_what_was_written_down_is_drawn_in_turn(tmp_path):
    rows = [
        Suspect(f"someone/{name}", f"{number}" * 12, "f" * 12, "toll.py", 2, number)
        for name in ("toll", "shop", "missing")
        for number in range(3)
    ]
    for name in ("toll", "shop"):
        (tmp_path / "clones" / f"someone+{name}" / "repo").mkdir(parents=True)
    suspects.write(tmp_path / "suspects.csv", rows)
    found = suspects.drawn(tmp_path / "suspects.csv", tmp_path / "clones", sample=2, seed=1)
    assert len(found) == 4
    assert {one.group for one in found[:2]} == {"someone/toll", "someone/shop"}
    assert {one.suspect for one in found} <= set(rows)


def test_the_report_counts_both_ways_of_those_that_were_shown():
    right = {"right": True, "size": 1, "changed": 9, "runs": 2, "minimal": True}
    rows = [
        {
            "group": "a/b",
            "outcome": "patched",
            "base": {"diff": "x", "culprit": right},
            "alone": {"diff": ""},
        },
        {"group": "a/c", "base": {"diff": ""}, "alone": {"outcome": "error"}},
        {"group": "a/b", "outcome": "not shown", "reason": "nothing fails"},
    ]
    lines = real_regressions.shown(Run(header={}, rows=rows)).splitlines()
    assert lines[0] == "2 of 3 suspected commits broke a test of the fix"
    (everything,) = (line for line in lines if line.startswith("| all |"))
    assert everything.startswith("| all | 2 | 1/2 = 0.500")
    assert everything.count("| 0/2") == 1
    halves = [int(line.split("|")[2]) for line in lines if line.startswith(("| held out", "| the others"))]
    assert sum(halves) == 2
