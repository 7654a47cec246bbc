"""The culprit in changes that are not as one would wish: no Python, binary, or very long."""

import dataclasses
import time

import pytest
from agent_support import failed_result, report, runtime
from fakes.testbed import ScriptedTestbed

from bot.agent.nodes.culprit import MAX_RUNS, culprit
from bot.agent.state import RepairState
from bot.domain import Baseline, Suspicion
from bot.environments.base_version import base_version

NEW = "def f():\n    return 2\n"


def culprit_of(base, head, *reports):
    bed = ScriptedTestbed(*(reports or (report(failed_result("test_m.py::test_f")),)))
    made = runtime(files=head, testbed=bed)
    request = dataclasses.replace(made.context.request, base=base, base_name="main")
    context = dataclasses.replace(made.context, request=request)
    suspicions = tuple(Suspicion(path="m.py", line=line, score=0.5) for line in range(1, 2_000))
    baseline = Baseline(failing=(failed_result("test_m.py::test_f"),), runs=3)
    state = RepairState(baseline=baseline, suspicions=suspicions)
    return culprit(state, dataclasses.replace(made, context=context)), bed


@pytest.mark.parametrize("old", ["x = '\0'\n", "\udcff\udcfe" * 50, "def broken(:\n"])
def test_a_base_that_is_no_python_is_never_run(old):
    update, bed = culprit_of({"m.py": old}, {"m.py": NEW})
    assert "culprit" not in update
    assert bed.runs == []


def test_a_change_of_twenty_thousand_lines(tmp_path):
    """It is compared in seconds, and costs no more runs than another."""
    head = {"m.py": "".join(f"x{n} = {n}\n" for n in range(20_000))}
    base = "".join(f"x{n} = {n + n % 2}\n" for n in range(20_000))
    (tmp_path / "m.py").write_text(base)
    start = time.process_time()
    version = base_version(tmp_path, str(tmp_path), head)
    update, bed = culprit_of(version.sources, head)
    assert time.process_time() - start < 30
    assert "culprit" not in update
    assert 0 < len(bed.runs) <= MAX_RUNS + 1
