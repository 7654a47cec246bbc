"""A run that is killed and gone on with ends as an undisturbed one."""

import random
import signal
import subprocess
import sys

import pytest

from benchmarks.runs import runfile
from benchmarks.runs.tasks import Key

# Who edits the code while this test runs would be told that the run measures something else.
PROGRAM = (
    "from benchmarks.runs import pins; pins.code_digest = pins._commit = lambda: 'that of this test'; "
    "from benchmarks.__main__ import main; main()"
)
COMMAND = [sys.executable, "-c", PROGRAM, "invented", "--count", "40", "--task-seconds", "0.01"]


def killed(path, dice):
    """Kill a run into ``path`` when one or some more rows have come; how many there are then."""
    command = [*COMMAND, "--output", str(path), "--resume"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as run:
        for _ in range(dice.randrange(1, 8)):
            run.stderr.readline()
        run.send_signal(signal.SIGKILL)
    return sum(1 for _ in runfile.rows(path))


@pytest.mark.slow
def test_a_killed_run_loses_nothing(tmp_path):
    path, quiet = tmp_path / "killed.jsonl", tmp_path / "quiet.jsonl"
    dice = random.Random(1)
    first, second = killed(path, dice), killed(path, dice)
    assert 0 < first < second < 40
    for output in (path, quiet):
        subprocess.run([*COMMAND, "--output", str(output), "--resume"], check=True, capture_output=True)
    one, other = (sorted(runfile.rows(made), key=Key.of) for made in (path, quiet))
    assert one == other
    assert len({Key.of(row) for row in one}) == 40
