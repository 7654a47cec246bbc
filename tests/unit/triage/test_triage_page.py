"""docs/triage.md and its tables say what the rules say, and no decision in them is wrong."""

import runpy
from collections import Counter
from pathlib import Path

DOCS = Path(__file__).parents[3] / "docs"


def test_the_page_and_its_tables_are_what_the_script_makes():
    made = runpy.run_path(str(DOCS / "triage.py"))
    for path, expected in made["files"]().items():
        assert path.read_text("utf-8") == expected, "run: python docs/triage.py"


def test_no_decision_is_wrong_but_two_on_logs_that_came_after_the_rules():
    made = runpy.run_path(str(DOCS / "triage.py"))
    count = Counter((row[0], row[5]) for row in made["logs"]())
    assert count["real", "right"] == 14
    assert count["own", "right"] >= 42
    assert count["later", "right"] >= 14
    assert count["later", "wrong"] <= 2
    assert not count["real", "wrong"] + count["own", "wrong"]
