"""A new run against the one before: what is noise, what is not, and what is published of it."""

import json

import benchmark_rows as rows
import pytest
from click.testing import CliRunner
from every_case import every_case

from benchmarks.__main__ import cli
from benchmarks.commands.publish import badge, change, regressed
from benchmarks.runs import pins
from benchmarks.runs.runfile import Run


def run(passed, inputs="1", **configuration):
    made = rows.run(*(rows.row(f"task/{n:02d}", plausible=n < passed) for n in range(40)), **configuration)
    return Run(header={**made.header, "inputs": {"x": inputs}}, rows=made.rows)


def test_a_fall_beyond_noise_is_a_regression_and_a_small_one_is_none():
    assert regressed(run(30), run(24))  # six lost, none gained: p = 0.031
    assert not regressed(run(30), run(25))  # five: p = 0.0625
    assert not regressed(run(30), run(36))
    assert "plausible, lost: task/24, task/25," in change(run(30), run(24))


def test_runs_of_something_else_do_not_count():
    other = run(40, strategy="single"), run(40, inputs="2")
    assert not any(regressed(one, run(10)) for one in other)
    assert {change(one, run(10)) for one in (*other, None)} == {
        "There is no run before that measured the same.\n"
    }
    assert regressed(run(40, workers=2), run(10))


@every_case(("passed", "colour"), [(40, "brightgreen"), (24, "green"), (16, "yellow"), (0, "orange")])
def test_the_badge(passed, colour):
    assert badge(run(passed))["color"] == colour
    assert badge(run(24))["message"] == "60.0%"


@pytest.mark.slow
def test_a_run_is_published(tmp_path, monkeypatch):
    monkeypatch.setattr(pins, "code_digest", lambda: "the code of this test")
    made, site = tmp_path / "run.jsonl", tmp_path / "site"
    assert CliRunner().invoke(cli, ["invented", "--count", "30", "--output", str(made)]).exit_code == 0
    arguments = ["publish", str(made), "--before", str(tmp_path / "before.jsonl"), "--output", str(site)]
    done = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert "no run before" in done.output
    assert json.loads((site / "badge.json").read_text("utf-8"))["schemaVersion"] == 1
    assert "pass@1 by group" in (site / "index.html").read_text("utf-8")
    assert (site / "pass-at-1-by-group.svg").stat().st_size
    assert not (site / "regression.md").exists()
    better = (site / "run.jsonl").read_text("utf-8").replace('"plausible":false', '"plausible":true')
    (tmp_path / "before.jsonl").write_text(better, "utf-8")
    CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert "| plausible | 30/30" in (site / "regression.md").read_text("utf-8")
