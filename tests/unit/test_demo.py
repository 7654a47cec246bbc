"""``make demo``: which sandboxes it asks for, in which order."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RECORDED = """#!/bin/sh
echo "$4" >> "$ASKED"
exit "${STATUS:-0}"
"""


@pytest.fixture
def demo(tmp_path):
    """Runs the demo with a program in Regreen's place; returns the status and the sandboxes asked for."""
    program, asked = tmp_path / "regreen", tmp_path / "asked"
    program.write_text(RECORDED)
    program.chmod(0o755)

    def run(**variables):
        environment = {
            "PATH": os.environ["PATH"],
            "BIN": os.path.relpath(tmp_path, ROOT),
            "ASKED": str(asked),
            **variables,
        }
        done = subprocess.run(
            ["/bin/sh", ROOT / "examples" / "demo.sh"], env=environment, capture_output=True, check=False
        )
        return done.returncode, asked.read_text().split()

    return run


@pytest.mark.parametrize(
    ("variables", "asked"),
    [
        ({}, "bubblewrap"),
        ({"REGREEN_BASE_IMAGE": "python:3.13-slim"}, "docker"),
        ({"REGREEN_SANDBOX_RUNTIME": "runsc"}, "docker"),
        ({"REGREEN_SANDBOX": "process", "REGREEN_BASE_IMAGE": ""}, "process"),
    ],
)
def test_what_only_docker_reads_chooses_docker(demo, variables, asked):
    assert demo(**variables) == (0, [asked] * 3)


def test_where_a_sandbox_does_not_work_the_next_is_asked(demo):
    assert demo(STATUS="6") == (6, ["bubblewrap", "docker", "process"])
