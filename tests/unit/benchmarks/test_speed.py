"""The speed benchmark: its other ways judge rightly, and its report says what was measured."""

import sys

from benchmark_rows import run
from click.testing import CliRunner
from every_case import every_case

from benchmarks.datasets.humanevalfix import Task
from benchmarks.speed.__main__ import main
from benchmarks.speed.peers import WAYS
from benchmarks.speed.report import page
from benchmarks.speed.verdicts import peer
from benchmarks.speed.work import MEASURED, OURS
from benchmarks.speed.workload import Workload
from sandbox.snapshot import Snapshot

TASK = Task(
    name="Python/0",
    bug_type="value misuse",
    module="import math\n\ndef half(n):\n    return n\n",
    test="from solution import *\n\ndef test_half():\n    assert half(4) == 2\n",
    canonical="",
)
RIGHT, WRONG = ("import math\n\ndef half(n):\n    return n " + sign for sign in ("// 2\n", "* 2\n"))
NOISY = "print('loud')\n" + RIGHT
LEAVING = "import os\n\ndef half(n):\n    raise SystemExit(0)\n"


def workload(*modules):
    return Workload(
        task=TASK, snapshot=Snapshot(entries=()), test="test_solution.py::test_half", modules=modules
    )


@every_case("way", WAYS)
def test_each_other_way_judges_rightly(way):
    measured = peer(way, sys.executable, workload(RIGHT, WRONG, NOISY))
    assert measured["verdicts"] == [True, False, True]
    assert measured["seconds"] > 0
    assert peer(way, sys.executable, workload(RIGHT, WRONG), sample=1)["verdicts"] == [True]


@every_case("way", ["fork", "process"])
def test_a_program_that_leaves_early_is_no_pass(way):
    assert peer(way, sys.executable, workload(LEAVING))["verdicts"] == [False]


def test_the_tables():
    def measured(seconds, opening):
        ways = {
            OURS: {"verdicts": [True, False], "seconds": seconds},
            "as well": {"verdicts": [True, True], "seconds": seconds},
            "slow": {"verdicts": [True], "seconds": 0.5},
        }
        return {"outcome": MEASURED, "ways": ways, "openings": {"docker": [opening] * 2}}

    text = page(run(measured(0.01, 0.1), measured(0.03, 0.3), {"outcome": "crashed"}))
    assert "4 candidates of 2 tasks; verdicts on which two ways differ: 2." in text
    assert "| Regreen, 1 worker | 100.0 | 10.00 | 1.00 |" in text
    assert "| slow | 2.0 | 500.00 | 50.00 |" in text
    assert "| docker | 200.0 |" in text


def test_help_and_a_missing_dataset():
    assert "HumanEvalFix" in CliRunner().invoke(main, ["--help"]).output
    assert CliRunner().invoke(main, ["--dataset", "/no/such/file"]).exit_code == 2
