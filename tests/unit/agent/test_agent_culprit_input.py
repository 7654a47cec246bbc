"""The culprit in changes that are not as one would wish: no Python, binary, or very long."""

import dataclasses
import time

import pytest
from agent_support import failed_result, report, runtime
from every_case import every_case
from fakes.testbed import ScriptedTestbed
from hypothesis import given
from hypothesis import strategies as st
from snapshots import snapshot

from bot.agent.nodes.culprit import MAX_RUNS, culprit
from bot.agent.state import RepairState
from bot.domain import Baseline, Patch, Suspicion
from bot.environments.versions.base_version import base_version
from bot.patch.apply import apply
from bot.search.difference import pieces
from bot.search.difference.pieces import hunks

NEW = "def f():\n    return 2\n"


def culprit_of(base, head, *reports):
    bed = ScriptedTestbed(*(reports or (report(failed_result("test_m.py::test_f")),)))
    made = runtime(files=head, testbed=bed)
    request = dataclasses.replace(made.context.request, base=base, base_name="main")
    context = dataclasses.replace(made.context, request=request)
    suspicions = tuple(Suspicion(path="m1.py", line=line, score=0.5) for line in range(1, 2_000))
    baseline = Baseline(failing=(failed_result("test_m.py::test_f"),), runs=3)
    state = RepairState(baseline=baseline, suspicions=suspicions)
    return culprit(state, dataclasses.replace(made, context=context)), bed


@every_case("old", ["x = '\0'\n", "\udcff\udcfe" * 50, "def broken(:\n"])
def test_a_base_that_is_no_python_is_never_run(old):
    update, bed = culprit_of({"m.py": old}, {"m.py": NEW})
    assert "culprit" not in update
    assert bed.runs == []


def test_a_change_of_twenty_thousand_lines(tmp_path):
    """It is compared in seconds, and costs no more runs than another."""
    paths = [f"m{n}.py" for n in range(20)]
    head = dict.fromkeys(paths, "".join(f"x{n} = {n}\n" for n in range(2_000)))
    for path in paths:
        (tmp_path / path).write_text("".join(f"x{n} = {n + n % 2}\n" for n in range(2_000)))
    start = time.process_time()
    version = base_version(tmp_path, str(tmp_path), snapshot(head))
    update, bed = culprit_of(version.sources, head)
    assert time.process_time() - start < 30
    assert "culprit" not in update
    assert 0 < len(bed.runs) <= MAX_RUNS + 1


def test_a_file_with_twenty_thousand_lines_is_compared_in_seconds():
    head = "".join(f"x{n} = {n}\n" for n in range(20_000))
    base = "".join(f"x{n} = {n + n % 2}\n" for n in range(20_000))
    start = time.process_time()
    parts = hunks({"m.py": base}, {"m.py": head})
    assert time.process_time() - start < 5
    assert len(parts) == 10_000
    assert apply(Patch(edits=parts), {"m.py": head}) == {"m.py": base}


@given(st.lists(st.integers(0, 9), max_size=40), st.lists(st.integers(0, 9), max_size=40))
def test_long_files_are_compared_as_others_are(old, new):
    texts = ["".join(f"x = {n}\n" for n in numbers) for numbers in (old, new)]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(pieces, "MAX_PAIRS", 0)
        parts = hunks({"m.py": texts[0]}, {"m.py": texts[1]})
    assert apply(Patch(edits=parts), {"m.py": texts[1]}).get("m.py", texts[1]) == texts[0]
