"""The pages about the sandbox show the tables that the self-check and the attacks have."""

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


def test_the_pages_are_up_to_date(script):
    for target in script.BLOCKS:
        text = target.read_text("utf-8")
        assert script.page(target, text) == text, "run: python docs/sandbox_tables.py"
    for table, made in script.TABLES.items():
        assert table.read_text("utf-8") == made(), "run: python docs/sandbox_tables.py"


def test_every_check_and_every_gap_is_on_the_page(script):
    text = script.PROMISES.read_text("utf-8")
    for check in CHECKS:
        assert f"| `{check.name}` | {check.promise} |" in text
    for gaps in KNOWN_GAPS.values():
        for gap in gaps.values():
            assert gap.reason in text
            assert gap.where in text


def test_a_gap_is_shown_where_it_is(script):
    rows = {row.split("`")[1]: row for row in list(script.checks())[2:]}
    for check in CHECKS:
        shown = rows[check.name].split(" | ")[2]
        for provider in script.PROVIDERS:
            gap = KNOWN_GAPS[provider].get(check.name)
            assert (provider in shown) == (gap is not None)
            assert (f"{provider}*" in shown) == (gap is not None and gap.conditional)


def test_a_page_without_its_block_is_an_error(script):
    with pytest.raises(ValueError, match="blocks called checks"):
        script.page(script.PROMISES, "nothing here")
