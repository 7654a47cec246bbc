"""A repair outlives a defect of a rule and of an operator, says so, and is stopped by one in strict runs."""

import json
import re
import sys

import pytest
from sections import sections

from bot.cli import run
from bot.search.operators import OPERATORS
from bot.search.templates import stream
from bot.search.templates.template import Template


def broken(*_given):
    raise LookupError("a defect of ours")
    yield


@pytest.fixture
def broken_parts(monkeypatch, environment):
    """A template and an operator that raise, in this process: it has the variables of a run."""
    for name in ("VIRTUAL_ENV", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, environment[name])
    template = Template("broken", "", re.compile(""), broken)
    monkeypatch.setattr(stream, "TEMPLATES", (template, *stream.TEMPLATES))
    changed = [one._replace(mutations=broken) if one.name == "number" else one for one in OPERATORS]
    monkeypatch.setattr(sys.modules["bot.search.candidates"], "OPERATORS", changed)


@pytest.mark.slow
def test_a_defect_costs_its_part_and_is_said(
    project, broken_parts, environment, outlived, monkeypatch, capsysbinary
):
    for name in ("VIRTUAL_ENV", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, environment[name])
    root = project(sections("is_free.txt")[0].parts)
    assert run(["fix", str(root), "--sandbox", "process", "-v", "--json"]) == 0
    out, err = capsysbinary.readouterr()
    result = json.loads(out)
    assert "+    return total >= 50\n" in result["diff"]
    found = {defect["part"]: defect for defect in result["internal_errors"]}
    assert list(found) == ["the fix template 'broken'", "the operator 'number'"]
    assert found["the fix template 'broken'"]["exception"] == "LookupError"
    lines = [line for line in err.decode().splitlines() if "internal error" in line]
    assert len(lines) == 2
    assert all("LookupError: a defect of ours" in line for line in lines)
