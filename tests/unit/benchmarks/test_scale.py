"""Thousands of tasks in one file: what is done for each does not grow with those that were before."""

import pytest
from click.testing import CliRunner
from cost import cost

from benchmarks.__main__ import cli

TASKS = 3_000
# A thirtieth of it; what looks at all rows for each row took minutes.
MOST = 2_000


@pytest.mark.slow
def test_many_tasks_take_a_time_in_proportion(tmp_path):
    arguments = ["invented", "--count", str(TASKS), "--output", str(tmp_path / "run.jsonl")]
    ended = []
    assert cost(lambda: ended.append(CliRunner().invoke(cli, arguments))) < MOST
    (done,) = ended
    assert done.exit_code == 0, done.output
    assert f"| all | {TASKS} |" in done.stdout
