"""docs/triage.md says what the rules say, and no decision in it is wrong."""

from __future__ import annotations

import runpy
from pathlib import Path

DOCS = Path(__file__).parents[3] / "docs"


def test_the_page_is_what_its_script_makes():
    page = runpy.run_path(str(DOCS / "triage.py"))["page"]()

    assert (DOCS / "triage.md").read_text("utf-8") == page, "run: python docs/triage.py"
    assert page.count("**wrong**") <= 2, "of the logs that were written after the rules"
    assert page.count("| right |") >= 14 + 42 + 14
