"""docs/sandbox.md shows the tables that the self-check has."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from sandbox.selfcheck import CHECKS, KNOWN_GAPS

SCRIPT = Path(__file__).parents[3] / "docs" / "sandbox_tables.py"


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("sandbox_tables", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_up_to_date(script):
    text = script.TARGET.read_text("utf-8")
    assert script.page(text) == text, "run: python docs/sandbox_tables.py"


def test_every_check_and_every_gap_is_on_the_page(script):
    text = script.TARGET.read_text("utf-8")
    for check in CHECKS:
        assert f"| `{check.name}` | {check.promise} |" in text
    for gaps in KNOWN_GAPS.values():
        for gap in gaps.values():
            assert gap.reason in text
            assert gap.where in text


def test_a_page_without_its_block_is_an_error(script):
    with pytest.raises(ValueError, match="blocks called attacks"):
        script.page("nothing here")
