"""Counting what operators and fix templates found, from recorded runs."""

import json

import pytest
from click.testing import CliRunner

from benchmarks.__main__ import cli
from benchmarks.commands.operators import Run, count
from bot.errors import ConfigurationError


def recorded(directory, name, *origins, turn=0):
    events = [{"kind": "run"}, {"kind": "verdict", "verdict": "partial", "model": "slice", "turn": 0}]
    events += [
        {"kind": "verdict", "verdict": "plausible", "model": origin, "turn": turn} for origin in origins
    ]
    events.append({"kind": "result", "ruled_out": {"operators": {"number": 3, "sort key": 2}}})
    path = directory / f"{name}.jsonl"
    path.write_text("".join(json.dumps(event) + "\n" for event in events), encoding="utf-8")


def test_runs_with_a_patch_of_each_operator_are_counted(tmp_path):
    recorded(tmp_path, "a", "slice + number", "number")
    recorded(tmp_path, "b", "number", "wrap", "number")
    recorded(tmp_path, "c", "wrap", turn=2)
    recorded(tmp_path, "d")
    result = CliRunner().invoke(cli, ["operators", str(tmp_path)])
    assert result.exit_code == 0
    assert "4 runs, 2 with a patch that passes the tests" in result.output
    assert "| number | 2 | 1 | 12 |" in result.output
    assert "| wrap | 1 | 0 | 0 |" in result.output
    assert "| slice | 1 | 0 | 0 |" in result.output
    assert "sort key (8)" in result.output


def test_every_name_of_the_engine_is_counted():
    uses = count([Run(frozenset({frozenset({"comparison"})}))])
    assert uses[0].name == "comparison"
    assert len({use.name for use in uses}) == len(uses) > 100
    assert {use.plausible for use in uses[1:]} == {0}


@pytest.mark.parametrize(
    "text",
    [
        None,
        "no json\n",
        "[1]\n",
        '{"kind": "verdict", "verdict": "plausible"}\n',
        '{"kind": "result", "ruled_out": null}\n',
        "[" * 100_000 + "\n",
    ],
)
def test_directories_without_recorded_runs_are_refused(tmp_path, text):
    if text:
        (tmp_path / "x.jsonl").write_text(text, encoding="utf-8")
    result = CliRunner().invoke(cli, ["operators", str(tmp_path)])
    assert isinstance(result.exception, ConfigurationError)
