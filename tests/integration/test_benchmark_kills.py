"""A run that is killed and gone on with ends as an undisturbed one; ``benchmarks.killing`` does more."""

import random
import subprocess
import sys

import pytest

from benchmarks.killing import disturbed, same

# Who edits the code while this test runs would be told that the run measures something else.
PROGRAM = (
    "from benchmarks import pins; pins.code_digest = pins._commit = lambda: 'that of this test'; "
    "from benchmarks.__main__ import main; main()"
)


@pytest.mark.slow
def test_a_killed_run_loses_nothing(tmp_path):
    command = [sys.executable, "-c", PROGRAM, "invented", "--count", "40", "--task-seconds", "0.01"]
    seen = disturbed(tmp_path / "killed.jsonl", command, kills=2, dice=random.Random(1))
    assert 0 < seen[0] < seen[1] < 40
    quiet = tmp_path / "quiet.jsonl"
    subprocess.run([*command, "--output", str(quiet)], check=True, capture_output=True)
    assert same(tmp_path / "killed.jsonl", quiet)
