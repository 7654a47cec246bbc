"""A result as JSON: every outcome, and every text that a project may hold."""

import json

from every_case import every_case

from bot.delivery.json_report import FORMAT_VERSION, exit_status, plain_data
from bot.domain import (
    Attempt,
    Baseline,
    Before,
    Candidate,
    Patch,
    RuledOut,
    SpanEdit,
    Suspicion,
    Usage,
    Verdict,
)
from bot.result import (
    Basis,
    Choice,
    Difference,
    Evidence,
    Outcome,
    RepairResult,
)
from sandbox.reports import TestResult, TestStatus

PATCH = Patch(edits=(SpanEdit(path="a.py", start=0, end=1, replacement="\udcff"),))
PATCHED = RepairResult(
    outcome=Outcome.PATCHED,
    reason="verified",
    baseline=Baseline(
        failing=(TestResult(test="t.py::a", status=TestStatus.FAILED),),
        flaky=(("t.py::f", 1),),
        runs=3,
        before=(("t.py::a", Before.REGRESSION),),
    ),
    patch=PATCH,
    diff="-x\n+\udcff\n",
    explanation="one \udc80",
    evidence=Evidence(
        fail_to_pass=("t.py::a",),
        pass_to_pass=("t.py::b", "t.py::c"),
        of_change=("t.py::b",),
        repeats=3,
        sandbox="docker",
        isolated=True,
        seconds=1.23456,
        controls=("t.py::a",),
        uncontrolled=(("make test", "a command"),),
        doubts=("it only removes code",),
    ),
    attempts=40,
    alternatives=2,
    choice=Choice(
        alternatives=2,
        behaviours=2,
        inputs=40,
        basis=Basis.LOOKS,
        share=0.5,
        reason="2 more patches pass",
        differences=(Difference(alternative="two \udc80", call="f(1)", chosen="2", other="3"),),
    ),
    suspicions=(Suspicion(path="a.py", line=3, score=0.123456),),
    usage=Usage(calls=2, prompt_tokens=30, completion_tokens=4, cost=0.12, seconds=1.5),
    usage_by_model=(
        ("small", Usage(calls=2, prompt_tokens=30, completion_tokens=4, cost=0.12, seconds=1.5)),
    ),
    seconds=9.87654,
)
SPENT = {"calls": 2, "prompt_tokens": 30, "completion_tokens": 4, "cost": 0.12, "seconds": 1.5}
PARTIAL = Attempt(
    candidate=Candidate(patch=PATCH, origin="x", explanation="half of it"),
    verdict=Verdict.PARTIAL,
    fixed=("t.py::a",),
)


def test_a_patch_in_full():
    assert json.loads(json.dumps(plain_data(PATCHED))) == {
        "version": FORMAT_VERSION,
        "outcome": "patched",
        "cause": "",
        "reason": "verified",
        "exit_status": 0,
        "diff": "-x\n+\udcff\n",
        "explanation": "one \udc80",
        "warnings": [],
        "failing_before": ["t.py::a"],
        "flaky": {"t.py::f": 1},
        "flaky_because": {},
        "set_apart": {},
        "before_change": {"t.py::a": "regression"},
        "environment": "",
        "baseline_runs": 3,
        "evidence": {
            "fail_to_pass": ["t.py::a"],
            "pass_to_pass": 2,
            "of_change": ["t.py::b"],
            "covering": 0,
            "left_out": [],
            "unseen": 0,
            "repeats": 3,
            "controls": ["t.py::a"],
            "uncontrolled": {"make test": "a command"},
            "confidence": "low",
            "doubts": ["it only removes code"],
            "sandbox": "docker",
            "isolated": True,
            "seconds": 1.235,
        },
        "attempts": 40,
        "alternatives": 2,
        "choice": {
            "basis": "looks",
            "ambiguous": True,
            "share": 0.5,
            "reason": "2 more patches pass",
            "behaviours": 2,
            "inputs": 40,
            "differences": [{"call": "f(1)", "chosen": "2", "alternative": "two \udc80", "answers": "3"}],
        },
        "best_partial": None,
        "closest": [],
        "ruled_out": {"operators": {}, "unchanged": 0, "alike": 0, "near": 0},
        "suspicious_lines": [{"path": "a.py", "line": 3, "score": 0.1235}],
        "culprit": None,
        "outdated": [],
        "usage": {**SPENT, "estimated_tokens": 0, "models": [{"model": "small", **SPENT}]},
        "internal_errors": [],
        "seconds": 9.877,
    }


@every_case("outcome", [o for o in Outcome if o is not Outcome.PATCHED])
def test_no_patch_has_the_same_keys(outcome):
    result = RepairResult(outcome=outcome, reason="so it is \udcff", best_partial=PARTIAL)
    report = json.loads(json.dumps(plain_data(result)))
    assert report.keys() == plain_data(PATCHED).keys()
    assert (report["outcome"], report["exit_status"]) == (outcome.value, 1)
    assert (report["diff"], report["evidence"]) == ("", None)
    assert report["best_partial"] == {"explanation": "half of it", "fixes": ["t.py::a"]}


def test_a_failing_search_tells_what_came_nearest_and_what_it_ruled_out():
    edit = SpanEdit(path="a.py", start=3, end=4, replacement="\udcff")
    candidate = Candidate(patch=Patch(edits=(edit,)), origin="number", explanation="use 2")
    near = Attempt(
        candidate=candidate, verdict=Verdict.FAILING, progress=0.4, gain="fails later, in line 8 instead of 5"
    )
    ruled_out = RuledOut(operators=(("number", 7), ("delete", 2)), unchanged=4, alike=1)
    result = RepairResult(outcome=Outcome.NO_PATCH, reason="", partials=(near,), ruled_out=ruled_out)
    report = json.loads(json.dumps(plain_data(result)))
    assert report["closest"] == [
        {
            "explanation": "use 2",
            "gain": "fails later, in line 8 instead of 5",
            "progress": 0.4,
            "fixes": [],
            "edits": [{"path": "a.py", "start": 3, "end": 4, "text": "\udcff"}],
        }
    ]
    assert report["ruled_out"] == {
        "operators": {"number": 7, "delete": 2},
        "unchanged": 4,
        "alike": 1,
        "near": 0,
    }


@every_case("outcome", list(Outcome))
def test_only_a_patch_is_a_success(outcome):
    assert exit_status(RepairResult(outcome=outcome, reason="")) == (0 if outcome is Outcome.PATCHED else 1)
