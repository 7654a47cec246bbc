"""The table of attacks that SECURITY.md links to: each has the test that makes it."""

import ast
import csv
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
TABLE = "docs/results/data/attacks-on-the-action.csv"
ROWS = list(csv.reader((ROOT / TABLE).read_text("utf-8").splitlines()))[1:]


def names_in(name):
    (file,) = ROOT.glob(f"tests/**/{name}")
    return {
        node.name for node in ast.parse(file.read_text("utf-8")).body if isinstance(node, ast.FunctionDef)
    }


def test_the_page_links_to_the_table():
    assert f"({TABLE})" in (ROOT / "SECURITY.md").read_text("utf-8")


@pytest.mark.slow
def test_each_attack_has_its_test():
    assert len(ROWS) > 20
    assert [row for row in ROWS if row[2] not in names_in(row[1])] == []


def test_each_test_of_an_attack_is_told():
    files = ("test_action_attacks.py", "test_action_tampering.py")
    said = {test for _, file, test in ROWS if file in files}
    made = {name for file in files for name in names_in(file) if name.startswith("test_")}
    assert made - said == {"test_a_proposal_that_nobody_touched_is_published"}


def test_the_table_counts_the_ways_to_tamper():
    text = (ROOT / "tests/integration/test_action_tampering.py").read_text("utf-8")
    ways = re.search(r"^TAMPERED = \{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL)
    assert len(re.findall(r'^    "', ways[1], re.MULTILINE)) == 17
