"""A repair outlives a defect of a rule and of an operator, says so, and is stopped by one in strict runs."""

import json
import re
import sys

import pytest

from bot.cli import run
from bot.search.operators import OPERATORS
from bot.search.templates import stream
from bot.search.templates.template import Template

CODE = "def is_free(total):\n    return total > 50\n"
TESTS = """\
from shop import is_free

def test_at(): assert is_free(50)
def test_below(): assert not is_free(49)
def test_above(): assert is_free(51)
"""


def broken(*_given):
    raise LookupError("a defect of ours")
    yield


@pytest.fixture
def project(tmp_path, monkeypatch, project_environment):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("VIRTUAL_ENV", str(project_environment))
    monkeypatch.setattr(
        stream, "TEMPLATES", (Template("broken", "", re.compile(""), broken), *stream.TEMPLATES)
    )
    changed = [one._replace(mutations=broken) if one.name == "number" else one for one in OPERATORS]
    monkeypatch.setattr(sys.modules["bot.search.candidates"], "OPERATORS", changed)
    root = tmp_path / "project"
    root.mkdir()
    (root / "shop.py").write_text(CODE)
    (root / "test_shop.py").write_text(TESTS)
    return str(root)


@pytest.mark.slow
def test_a_defect_costs_its_part_and_is_said(project, outlived, capsysbinary):
    assert run(["fix", project, "--sandbox", "process", "-v", "--json"]) == 0
    out, err = capsysbinary.readouterr()
    result = json.loads(out)
    assert "+    return total >= 50\n" in result["diff"]
    found = {defect["part"]: defect for defect in result["internal_errors"]}
    assert list(found) == ["the fix template 'broken'", "the operator 'number'"]
    assert found["the fix template 'broken'"]["exception"] == "LookupError"
    lines = [line for line in err.decode().splitlines() if "internal error" in line]
    assert len(lines) == 2
    assert all("LookupError: a defect of ours" in line for line in lines)
