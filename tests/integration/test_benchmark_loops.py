"""The programs with endless loops are what their manifest says: broken, fixed, judged by hidden tests."""

import os
import sys
import tempfile
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from benchmarks.__main__ import cli
from benchmarks.datasets.broken import load
from benchmarks.datasets.packed import DATA, unpacked
from sandbox.base import SandboxSpec
from sandbox.command import parse
from sandbox.process import ProcessProvider
from sandbox.reports import TestStatus, TestTimes
from sandbox.snapshot import take
from sandbox.testing import SandboxTestbeds

LOOPS = unpacked(DATA / "loops.tar.xz", Path(tempfile.gettempdir(), f"regreen-tests-{os.getuid()}"))
ENTRIES = yaml.safe_load((LOOPS / "manifest.yaml").read_text("utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["name"])
def test_a_program_is_as_the_manifest_says(entry):
    (task,) = (one for one in load(LOOPS, split="dev") if one.name == f"dev/{entry['name']}")
    beds = SandboxTestbeds(
        provider=ProcessProvider(),
        spec=SandboxSpec(python=sys.executable),
        snapshot=take(task.directory / "project"),
        command=parse("python -m pytest"),
        times=TestTimes(test_s=30, collect_s=60, suite_s=120, grace_s=1.0),
    )
    fixed = {path: text.encode() for path, text in task.reference.items()}
    with beds.open() as bed:
        fixed = bed.run(changes={**fixed, **task.hidden})
        tests = [result.test for result in fixed.results]
        broken = bed.run(timeout_s=dict.fromkeys(tests, 0.5))
    assert fixed.proves(set(entry["failing"]))
    assert any("hidden" in test for test in tests)
    assert {one.test for one in broken.failing} == set(entry["failing"])
    assert any(one.status is TestStatus.TIMEOUT for one in broken.failing)


def test_there_are_twelve_and_a_command():
    assert len(ENTRIES) == len({entry["name"] for entry in ENTRIES}) == 12
    assert {entry["name"] for entry in ENTRIES} == {path.name for path in LOOPS.iterdir() if path.is_dir()}
    assert CliRunner().invoke(cli, ["loops", "--help"]).exit_code == 0
