"""The tables about the sandbox are those that the self-check and the attacks have."""

import csv
import importlib.util
from pathlib import Path

import pytest

from sandbox.selfcheck.builds import BUILD_CHECKS
from sandbox.selfcheck.run import CHECKS, KNOWN_GAPS

PAGE = Path(__file__).parents[3] / "docs" / "sandbox.md"
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


def test_the_record_of_runs_names_every_way_and_is_of_these_checks(script):
    spec = importlib.util.spec_from_file_location("sandbox_runs", SCRIPT.with_name("sandbox_runs.py"))
    runs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(runs)
    rows = list(csv.DictReader(runs.TABLE.read_text("utf-8").splitlines()))
    assert [runs.way_of(row) for row in rows] == list(runs.ways())
    for row in rows:
        count = len(CHECKS if row["of"] == "runs" else BUILD_CHECKS)
        held = count - len(row["known gaps"].split())
        assert row["result"] in {"not run", f"{held} of {count} held"}
        gaps = KNOWN_GAPS[row["sandbox"] + (" build" if row["of"] == "builds" else "")]
        assert set(row["known gaps"].split()) <= set(gaps)
    assert f"({runs.TABLE.relative_to(SCRIPT.parent).as_posix()})" in PAGE.read_text("utf-8")


def test_every_table_is_linked_from_a_page(script):
    pages = [SCRIPT.with_name(name).read_text("utf-8") for name in ("sandbox.md", "verdicts.md")]
    for table in script.TABLES:
        assert any(f"(results/data/{table.name})" in text for text in pages)
