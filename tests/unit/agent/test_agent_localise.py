"""The node that localises: what is traced, and what is suspected."""

from agent_support import FILES, HALF, PATH, TOTAL, ZERO, failed_result, report, result, runtime, state
from every_case import every_case
from fakes.testbed import FakeTestbed, ScriptedTestbed

from bot.agent.nodes.localise import LIKE_LIMIT, localise
from bot.agent.state import RepairState
from bot.domain import Baseline
from bot.patch.policy.gate import Policy
from sandbox.reports import Calls, Frame, TestStatus


def traced(failing, *passing, seen=None, calls=None):
    """What the node changes, and the runs that it asked for."""
    testbed = ScriptedTestbed(seen or report())
    before = Baseline(failing=tuple(failing), passing=passing, runs=1)
    running = runtime(testbed=testbed)
    running.context.callers.learn(calls)
    return localise(RepairState(baseline=before), running), testbed.runs


def test_localise_suspects_what_only_the_failing_test_runs():
    update = localise(state(), runtime())
    top = update["suspicions"][0]
    assert (top.path, top.line, top.score) == (PATH, 2, 1.0)
    assert {suspicion.path for suspicion in update["suspicions"]} == {PATH}


@every_case(("strategy", "quick"), [("search", True), ("react", False)])
def test_localise_traces_the_tests_of_one_file_together_and_quickly_where_many_candidates_come(
    strategy, quick
):
    testbed = FakeTestbed(FILES)
    localise(state(), runtime(testbed=testbed, strategy=strategy))
    assert [(run.tests, run.trace, run.quick) for run in testbed.runs] == [((TOTAL, ZERO, HALF), True, quick)]


def test_localise_traces_tests_of_other_files_by_themselves_so_that_no_zygote_has_to_hold_them():
    _, runs = traced([failed_result("a.py::test_red")], result("b.py::test_green"))
    asked = [(run.tests, run.trace, run.quick) for run in runs]
    assert asked == [(("a.py::test_red",), True, True), (("b.py::test_green",), True, False)]


def test_localise_compares_with_those_tests_that_are_most_like_the_failing_ones():
    red, far, near, nearer, further = (
        f"a.py::{name}" for name in ("red", "far", "near", "nearer", "further")
    )
    further = "b.py::further"
    functions = {("shop.py", 1): (1, 3, 4, 5), ("shop.py", 9): (2, 5), ("shop.py", 20): (1, 4)}
    calls = Calls(tests=("", red, far, near, nearer, further), functions=functions)
    passing = [result(test) for test in (far, near, nearer, further, "a.py::unseen")]
    _, runs = traced([failed_result(red)], *passing, calls=calls)
    assert [run.tests for run in runs] == [(red, nearer, near, "a.py::unseen"), (further,)]
    _, runs = traced([failed_result(red), failed_result("c.py::unseen")], *passing, calls=calls)
    assert runs[0].tests == (red, "c.py::unseen", far, near, nearer, "a.py::unseen")


def test_localise_compares_with_no_further_files_where_one_has_enough():
    tests = ["a.py::red", *(f"a.py::{number}" for number in range(LIKE_LIMIT + 9)), "b.py::further"]
    calls = Calls(tests=tuple(tests), functions={("shop.py", 1): tuple(range(len(tests)))})
    _, runs = traced([failed_result(tests[0])], *(result(test) for test in tests[1:]), calls=calls)
    assert [run.tests for run in runs] == [tuple(tests[: LIKE_LIMIT + 1])]


def test_localise_suspects_no_file_that_may_not_change():
    everything = Policy(protected=("*.py",))
    assert localise(state(), runtime(policy=everything))["suspicions"] == ()
    allowed = Policy(protected=("*.py",), allow=("shop.py",))
    assert localise(state(), runtime(policy=allowed))["suspicions"]


def test_localise_compares_with_tests_of_the_same_file_first_and_within_its_time():
    _, runs = traced(
        [failed_result("a/test_x.py::test_red")],
        result("b/test_y.py::test_far", seconds=0.2),
        result("a/test_x.py::test_near", seconds=0.3),
        result("a/test_x.py::test_next", seconds=0.2),
        result("b/test_z.py::test_slow", seconds=30.0),
        result("b/test_z.py::test_after"),
    )
    near = ("a/test_x.py::test_near", "a/test_x.py::test_next")
    assert [run.tests for run in runs] == [("a/test_x.py::test_red", *near)]


def test_localise_keeps_the_untraced_frames_when_the_trace_ends_otherwise():
    frame = Frame(path=PATH, line=6, function="half")
    update, runs = traced(
        [failed_result(TOTAL, frames=(frame,), seconds=100.0)],
        seen=report(failed_result(TOTAL, TestStatus.TIMEOUT)),
    )
    (suspicion,) = update["suspicions"]
    assert (suspicion.path, suspicion.line) == (PATH, 6)
    # One that fails slowly is traced whatever it takes; there is no passing test to compare with.
    assert [run.tests for run in runs] == [(TOTAL,)]


def test_of_hundreds_that_fail_cheap_ones_from_all_over_are_traced_and_of_those_that_hang_a_few():
    slow = [failed_result(f"t.py::test_slow_{number}", seconds=0.4) for number in range(300)]
    cheap = failed_result("t.py::test_cheap", seconds=0.1)
    hanging = [failed_result(f"t.py::test_hangs_{number}", TestStatus.TIMEOUT) for number in range(9)]
    _, runs = traced([*slow, cheap, *hanging])
    names = [result.test for result in (slow[0], slow[4], cheap, *hanging[:3])]
    assert runs[0].tests == tuple(names)
