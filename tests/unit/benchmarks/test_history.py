"""A new run against those of before: what is noise, what is not, and what is published of it."""

import json

import pytest
from click.testing import CliRunner
from every_case import every_case

from benchmarks import history, pins
from benchmarks.__main__ import cli
from benchmarks.history import Change, badge, change
from bot.errors import ConfigurationError

TASKS = [f"task/{number:02d}" for number in range(40)]


def entry(passed, **more):
    return {
        "started": "2026-01-01",
        "benchmark": "b",
        "label": "search",
        "commit": "",
        "configuration": {"strategy": "search"},
        "inputs": {"x": "1"},
        "rows": len(TASKS),
        "plausible": passed,
        "passed": TASKS[:passed],
        "failed": TASKS[passed:],
        **more,
    }


def test_a_fall_beyond_noise_is_a_regression_and_a_small_one_is_none():
    before = [entry(30)] * 3
    assert change(before, entry(24)).regressed  # six lost, none gained: p = 0.031
    assert not change(before, entry(25)).regressed  # five: p = 0.0625
    assert not change(before, entry(36)).regressed
    assert change(before, entry(24)).lost == tuple(TASKS[24:30])
    assert change(before, entry(36)).gained == tuple(TASKS[30:36])


def test_one_odd_run_among_the_last_decides_nothing():
    assert not change([entry(24), entry(36), entry(24)], entry(24)).regressed
    assert change([entry(36), entry(30)], entry(20)).lost == tuple(TASKS[20:30])  # a tie says nothing


def test_old_runs_and_runs_of_something_else_do_not_count():
    other = [entry(40, configuration={"strategy": "single"}), entry(40, inputs={"x": "2"})] * 3
    assert change(other, entry(10)) == Change(runs=0, gained=(), lost=())
    assert not change([entry(40)], entry(10)).regressed  # one run is no history
    assert not change([*[entry(40)] * 9, *[entry(10)] * 5], entry(10)).lost


@every_case(("passed", "colour"), [(40, "brightgreen"), (24, "green"), (16, "yellow"), (0, "orange")])
def test_the_badge(passed, colour):
    assert badge(entry(passed))["color"] == colour
    assert badge(entry(24))["message"] == "60.0%"


def test_what_is_no_history_is_refused(tmp_path):
    path = tmp_path / "history.jsonl"
    assert history.read(path) == []
    for text in ("{", "[]\n", '{"passed": []}\n'):
        path.write_text(text, "utf-8")
        with pytest.raises(ConfigurationError, match="no history"):
            history.read(path)


@pytest.mark.slow
def test_a_run_is_published_and_added_once(tmp_path, monkeypatch):
    monkeypatch.setattr(pins, "code_digest", lambda: "the code of this test")
    run, past, site = tmp_path / "run.jsonl", tmp_path / "history.jsonl", tmp_path / "site"
    assert CliRunner().invoke(cli, ["invented", "--count", "30", "--output", str(run)]).exit_code == 0
    arguments = ["publish", str(run), "--history", str(past), "--output", str(site)]
    for _ in range(2):
        done = CliRunner().invoke(cli, arguments, catch_exceptions=False)
        assert done.exit_code == 0, done.output
    assert "too few to hold it against" in done.output
    (kept,) = history.read(past)
    assert kept["rows"] == 30
    assert (site / "history.jsonl").read_bytes() == past.read_bytes()
    assert json.loads((site / "badge.json").read_text("utf-8"))["schemaVersion"] == 1
    assert "pass@1 over time" in (site / "index.html").read_text("utf-8")
    assert (site / "pass-at-1-over-time.svg").stat().st_size
    assert not (site / "regression.md").exists()
    better = {**kept, "passed": [*kept["passed"], *kept["failed"]], "failed": [], "started": "before"}
    past.write_text("".join(json.dumps(one) + "\n" for one in [better, better]), "utf-8")
    done = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert "fell beyond noise" in (site / "regression.md").read_text("utf-8")
    assert len(history.read(past)) == 3
