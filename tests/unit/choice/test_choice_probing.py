"""What a probe is asked, and how its answers are read."""

from choice_support import PATH, alternative
from every_case import every_case
from sections import sections

from bot.choice.probing import by_outer_functions, probe_request
from bot.domain import Baseline
from sandbox.probes import (
    Ending,
    ProbeInput,
    ProbeOutcome,
    ProbeReport,
    ProbeRequest,
    ProbeTarget,
    ProbeVersion,
    read_report,
)
from sandbox.reports import TestResult, TestStatus

SOURCE = sections("sources/choice_parts.txt")[0].parts["SOURCE"]
TOLL = (ProbeTarget(path=PATH, name="toll"),)


def result(test, seconds=0.0, status=TestStatus.PASSED):
    return TestResult(test=test, status=status, seconds=seconds)


def test_a_probe_asks_for_all_alternatives_the_original_and_the_quick_tests():
    attempts = [alternative(SOURCE, "x * RATE", "x + RATE"), alternative(SOURCE, "return 1", "return 2")]
    slow = result("test_toll.py::test_slow", 1.0, TestStatus.FAILED)
    hung = result("test_toll.py::test_hangs", 30.0, TestStatus.TIMEOUT)
    near = [result(f"test_toll.py::test_{n}", 0.3) for n in range(9)]
    baseline = Baseline(failing=(slow, hung), passing=(result("test_a.py::test_far"), *near), runs=1)
    asked = probe_request(attempts, {PATH: SOURCE, "other.py": ""}, baseline)
    assert asked is not None
    assert [version[PATH] for version in asked.versions] == [
        SOURCE.replace("x * RATE", "x + RATE"),
        SOURCE.replace("return 1", "return 2"),
        SOURCE,
    ]
    assert {target.name for target in asked.targets} == {"toll", "toll.inner", "other"}
    assert asked.tests[:3] == ("test_toll.py::test_hangs", "test_toll.py::test_slow", "test_toll.py::test_0")
    assert len(asked.tests) == 5
    assert asked.timeouts_s["test_toll.py::test_slow"] == 5.0
    assert asked.timeouts_s["test_toll.py::test_hangs"] == 1.0


def test_new_files_and_coroutines_are_not_tried():
    new = alternative("", "", "x = 1\n", path="new.py")
    assert probe_request([new, new], {PATH: SOURCE}, Baseline()) is None
    coroutine = alternative("async def f():\n    return 1\n", "1", "2")
    assert probe_request([coroutine], {PATH: "async def f():\n    return 1\n"}, Baseline()) is None


REQUEST = ProbeRequest(targets=TOLL, versions=({PATH: ""}, {PATH: ""}), tests=())
GOOD = {
    "inputs": [[0, 0, True, "f(1)"]],
    "versions": [
        {"outcomes": [["value", "int", "d", "1"]], "examples": ["kept"], "problem": ""},
        {"outcomes": [None], "examples": [], "problem": "unfit"},
    ],
    "problem": "",
    "seconds": 0.1,
}


def test_an_answer_is_read():
    report = read_report(GOOD, REQUEST)
    assert not report.problem
    assert report.versions[0].outcomes[0].ending is Ending.VALUE
    assert report.versions[1].outcomes == ()


@every_case(
    "forged",
    [
        {"inputs": [[0, 0, True]]},
        {"inputs": [[7, 0, True, "f"]]},
        {"inputs": [[0, 5, True, "f"]]},
        {"inputs": 3},
        {"versions": []},
        {"versions": GOOD["versions"][:1]},
        {"versions": [{"outcomes": [["huh", "", "", ""]], "examples": [], "problem": ""}] * 2},
        {"versions": [{"outcomes": [["value"]], "examples": [], "problem": ""}] * 2},
        {"versions": [{"outcomes": [], "examples": ["right"], "problem": ""}] * 2},
        {"versions": None},
    ],
)
def test_a_forged_answer_is_no_answer(forged):
    report = read_report({**GOOD, **forged}, REQUEST)
    assert report.problem
    assert report.versions == ()


@every_case(("outer", "known"), [("4", [True, False]), (None, [False, True])])
def test_a_function_within_a_function_counts_where_the_outer_one_says_nothing(outer, known):
    targets = (*TOLL, ProbeTarget(path=PATH, name="toll.inner"))
    request = ProbeRequest(targets=targets, versions=({}, {}), tests=())
    answers = [
        None if text is None else ProbeOutcome(ending=Ending.VALUE, kind="int", digest=text, text=text)
        for text in (outer, "5")
    ]
    inputs = tuple(ProbeInput(target=number, parent=number, near=True, text="") for number in (0, 1))
    report = ProbeReport(inputs=inputs, versions=(ProbeVersion(outcomes=tuple(answers)),) * 2)
    for version in by_outer_functions(report, request).versions:
        assert [outcome is not None for outcome in version.outcomes] == known
