"""The tables about the sandbox are those that the self-check and the attacks have."""

import csv
import importlib.util
from pathlib import Path

import pytest

from sandbox.selfcheck import BUILD_CHECKS, CHECKS, KNOWN_GAPS

SCRIPT = Path(__file__).parents[3] / "docs" / "sandbox_tables.py"


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("sandbox_tables", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_tables_are_up_to_date(script):
    for table, made in script.TABLES.items():
        assert table.read_text("utf-8") == made(), "run: python docs/sandbox_tables.py"


def test_every_promise_and_every_gap_is_in_the_table(script):
    rows = {row["check"]: row for row in csv.DictReader(script.promises().splitlines())}
    assert list(rows) == [check.name for check in CHECKS]
    for check in CHECKS:
        row = rows[check.name]
        assert row["promise"] == check.promise
        shown = {**row, script.BUILD: row["a build in bubblewrap"]}
        for provider in (*script.PROVIDERS, script.BUILD):
            gap = KNOWN_GAPS[provider].get(check.name)
            if provider == script.BUILD and check.name not in BUILD_CHECKS:
                assert shown[provider] == "no promise"
            elif gap:
                assert shown[provider] == f"gap {gap.where}: {gap.reason}"
            else:
                assert shown[provider] == "holds"


def test_every_table_is_linked_from_a_page(script):
    pages = [SCRIPT.with_name(name).read_text("utf-8") for name in ("sandbox.md", "verdicts.md")]
    for table in script.TABLES:
        assert any(f"(results/data/{table.name})" in text for text in pages)
