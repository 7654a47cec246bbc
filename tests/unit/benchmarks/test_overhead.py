"""What the harness adds to a task beside the repair and its judging: milliseconds."""

import statistics

import pytest
from cost import cost

from benchmarks import harness
from benchmarks.bogus import TASKS
from benchmarks.executors.root import guarded
from benchmarks.harness import Repair
from benchmarks.tasks import Trial
from bot.compose import Repaired
from bot.result import Outcome, RepairResult
from sandbox.snapshot import take

MOST = 10  # measured at 1, some ten milliseconds


@pytest.fixture
def no_repair(monkeypatch):
    """The repair ends at once; all around it is as it is."""

    def fix(settings, _progress):
        return Repaired(
            result=RepairResult(outcome=Outcome.NO_PATCH, reason="none"), snapshot=take(settings.project)
        )

    monkeypatch.setattr(harness.compose, "fix", fix)


@pytest.mark.usefixtures("no_repair")
def test_a_task_costs_little_beside_its_repair(tmp_path):
    script = tmp_path / "script.yaml"
    script.write_text("[one reply]", "utf-8")
    options = {"strategy": "reflect", "backend": "scripted", "model": str(script), "sandbox": "process"}
    work = Repair(options=options, trajectories=tmp_path / "trajectories")
    spent = []
    for task in TASKS:
        rows = []
        spent.append(cost(lambda task=task, rows=rows: rows.append(guarded(work, Trial(task=task)))))
        assert rows[0]["outcome"] == "no_patch"
    assert statistics.median(spent) < MOST
