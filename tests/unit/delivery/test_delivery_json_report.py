"""A result as JSON: every outcome, and every text that a project may hold."""

import json
from dataclasses import replace

from delivery_cases import TEST, result
from every_case import every_case
from sections import GOLDEN

from bot.delivery.json_report import plain_data
from bot.domain import Attempt, Before, Candidate, Patch, RuledOut, SpanEdit, Usage, Verdict
from bot.result import Outcome, RepairResult

SPENT = Usage(calls=2, prompt_tokens=30, completion_tokens=4, cost=0.12, seconds=1.5)
PATCHED = result(
    diff="-x\n+\udcff\n",
    explanation="one \udc80",
    baseline=replace(result().baseline, flaky=(("t.py::f", 1),), before=((TEST, Before.REGRESSION),)),
    evidence=replace(
        result().evidence,
        seconds=1.23456,
        of_change=("t.py::b",),
        uncontrolled=(("make test", "a command"),),
        doubts=("it only removes code",),
    ),
    usage=SPENT,
    usage_by_model=(("small", SPENT),),
    seconds=9.87654,
)
EDIT = SpanEdit(path="a.py", start=3, end=4, replacement="\udcff")
PARTIAL = Attempt(
    candidate=Candidate(patch=Patch(edits=(EDIT,)), origin="x", explanation="half of it"),
    verdict=Verdict.PARTIAL,
    fixed=("t.py::a",),
)


def test_a_patch_in_full():
    golden = json.loads((GOLDEN / "delivery" / "report.json").read_text("utf-8"))
    assert json.loads(json.dumps(plain_data(PATCHED))) == golden


@every_case("outcome", [o for o in Outcome if o is not Outcome.PATCHED])
def test_no_patch_has_the_same_keys(outcome):
    found = RepairResult(outcome=outcome, reason="so it is \udcff", best_partial=PARTIAL)
    report = json.loads(json.dumps(plain_data(found)))
    assert report.keys() == plain_data(PATCHED).keys()
    assert (report["outcome"], report["exit_status"]) == (outcome.value, 1)
    assert (report["diff"], report["evidence"]) == ("", None)
    assert report["best_partial"] == {"explanation": "half of it", "fixes": ["t.py::a"]}


def test_a_failing_search_tells_what_came_nearest_and_what_it_ruled_out():
    near = replace(PARTIAL, verdict=Verdict.FAILING, fixed=(), progress=0.4, gain="fails later")
    ruled_out = RuledOut(operators=(("number", 7), ("delete", 2)), unchanged=4, alike=1)
    found = RepairResult(outcome=Outcome.NO_PATCH, reason="", partials=(near,), ruled_out=ruled_out)
    report = json.loads(json.dumps(plain_data(found)))
    edits = [{"path": "a.py", "start": 3, "end": 4, "text": "\udcff"}]
    assert report["closest"] == [
        {"explanation": "half of it", "gain": "fails later", "progress": 0.4, "fixes": [], "edits": edits}
    ]
    operators = {"number": 7, "delete": 2}
    assert report["ruled_out"] == {"operators": operators, "unchanged": 4, "alike": 1, "near": 0}
