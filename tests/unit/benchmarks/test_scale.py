"""Thousands of tasks in one file: what is done for each does not grow with those that were before."""

from __future__ import annotations

import time

from click.testing import CliRunner

from benchmarks.__main__ import cli

TASKS = 3_000
# A thirtieth of it here; what looks at all rows for each row took minutes.
MOST_S = 20.0


def test_many_tasks_take_a_time_in_proportion(tmp_path):
    started = time.process_time()
    done = CliRunner().invoke(
        cli, ["invented", "--count", str(TASKS), "--output", str(tmp_path / "run.jsonl")]
    )
    assert done.exit_code == 0, done.output
    assert time.process_time() - started < MOST_S
    assert f"| all | {TASKS} |" in done.stdout
