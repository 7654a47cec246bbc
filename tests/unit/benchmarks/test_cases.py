"""Cases of libraries are made once, and repaired only where that is asked for."""

import json

import pytest
from click.testing import CliRunner

from benchmarks.commands.cases import Cases
from benchmarks.commands.regressions import regressions_command


@pytest.fixture
def cases(tmp_path):
    return Cases(
        names=("kit",), count=1, seed=0, parallel=1, ids="", make_only=True, output=tmp_path, repair={}
    )


def test_what_is_there_already_stays(cases):
    made = []

    def make():
        made.append(1)
        yield {"number": len(made)}

    paths = {cases.manifest("kit", make) for _again in range(2)}
    (path,) = paths
    assert made == [1]
    assert json.loads(path.read_text()) == {"library": "kit", "cases": [{"number": 1}]}


def test_nothing_is_repaired_where_cases_are_to_be_made_only(cases):
    cases.run("kit", [object()], lambda _trial: pytest.fail("it is repaired"), str)
    assert not list(cases.output.glob("run*"))


def test_an_unknown_library_is_refused_before_anything_is_made(tmp_path):
    asked = ["--library", "mistune", "--library", "nothing", "--output", str(tmp_path / "out")]
    found = CliRunner().invoke(regressions_command, asked)
    assert found.exit_code == 2
    assert "no pair of releases of nothing" in found.output
    assert not list((tmp_path / "out").glob("*.json"))
