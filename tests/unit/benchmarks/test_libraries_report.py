"""The page on a run over the libraries."""

from benchmark_rows import run

from benchmarks.libraries.report import page, shares
from benchmarks.runs.tasks import lost

RAN = {"seconds": 2.0, "passed": 10, "failed": 0, "skipped": 1}
REPAIR = {"outcome": "patched", "seconds": 20.0, "attempts": 7, "over_budget": False, "internal_errors": []}
GOOD = {
    "task": "good",
    "group": "library",
    "outcome": "usable",
    "plausible": True,
    "reason": "",
    "seconds": 30.0,
    "environment": {"plan": "3.13; tests: a|b", "seconds": 5.0},
    "tests": 11,
    "pass_share": 1.0,
    "same_share": 1.0,
    "inside": RAN,
    "outside": RAN,
    "fault": {**REPAIR, "fixed": True, "same_text": False},
    "unchanged": {**REPAIR, "outcome": "not_reproduced", "patched": False},
}
UNSEEDED = {**GOOD, "task": "unseeded", "fault": {"problem": "no fault was found"}}
BAD = {
    "task": "o/bad@2024",
    "group": "checkout 2024",
    "outcome": "not usable",
    "plausible": False,
    "reason": "missing module: trio",
    "cause": {"kind": "missing module", "detail": "`trio`\n<b>|"},
    "seconds": 3.0,
    "environment": {"seconds": 1.0},
}
SECOND = {**BAD, "task": "o/bad@2025", "group": "checkout 2025"}
SECOND["second"] = {**GOOD, "options": {"test_command": "pytest tests"}}


def test_shares_are_over_what_they_are_shares_of():
    lines = shares([GOOD, UNSEEDED, BAD, SECOND]).splitlines()
    cells = {line.split(" | ")[0].removeprefix("| "): line.split(" | ") for line in lines[2:]}
    assert set(cells) == {"library", "checkout 2024", "checkout 2025", "checkouts"}
    assert cells["library"][1:5] == [
        "2",
        "2/2 = 1.000 [0.342, 1.000]",
        "2/2 = 1.000 [0.342, 1.000]",
        "1/1 = 1.000 [0.207, 1.000]",
    ]
    assert cells["checkouts"][1:5] == ["2", "0/2 = 0.000 [0.000, 0.658]", "0/2 = 0.000 [0.000, 0.658]", "-"]


def test_a_suite_of_which_a_part_counts_is_marked():
    part = {**GOOD, "task": "long", "part": True, "compared": 73}
    lines = page(run(GOOD, part)).splitlines()
    cells = {line.split(" | ")[0].removeprefix("| "): line.split(" | ")[3] for line in lines if "|" in line}
    assert (cells["good"], cells["long"]) == ("11", "73*")


def test_the_page_has_a_line_an_item_and_says_why_one_is_not_usable():
    text = page(run(SECOND, GOOD, BAD, UNSEEDED))
    assert "| good | 3.13; tests: a\\|b | 5 | 11 | 1.000 | 1.000 | 2 | 2 | yes | yes | 20 | 7 |" in text
    assert "- **o/bad@2024**: missing module. 'trio' &lt;b>\\|" in text
    assert "With `--test-command pytest tests` it is usable (11 tests)." in text
    assert "missing module: 2." in text
    assert "Tried again with an option, which counts for nothing here: 1; usable: 1." in text
    assert "No fault could be seeded in 1." in text


def test_what_must_not_happen_is_counted():
    over = {**GOOD, "fault": {**GOOD["fault"], "over_budget": True, "internal_errors": ["KeyError: 1"]}}
    passing = {**GOOD, "task": "green", "unchanged": {**GOOD["unchanged"], "patched": True}}
    text = page(run(over, passing))
    assert "budgets broken by more than 10 s: 1; with an internal error: 1." in text
    assert "with a patch all the same: 1 (green)" in text


def test_a_row_of_a_crash_is_on_the_page_as_well():
    crashed = {**lost("ours", seconds=1.0), "task": "x", "group": "library"}
    text = page(
        run(
            crashed,
        )
    )
    assert "- **x**: crashed. ours" in text
