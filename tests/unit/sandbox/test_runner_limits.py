"""A test's limit follows from its neighbours; which hangs are doubted; where a killed process was at work."""

from every_case import every_case
from hypothesis import given
from hypothesis import strategies as st

from sandbox.runner import suspects
from sandbox.runner.limits import (
    COLLECTING_FACTOR,
    COLLECTING_FLOOR_S,
    FACTOR,
    FLOOR_S,
    QUICK_COLLECTING_FLOOR_S,
    SHARED_FLOOR_S,
    SHORT_FLOOR_S,
    SLOWEST_FACTOR,
    WAITING_FACTOR,
    OrderLimits,
    collecting,
    learned,
)
from sandbox.runner.stack import Stack

ORDER = {"timeout_s": 30.0, "adaptive": True}


def hung(test="t.py::a", file="m.py", **more):
    frames = [["t.py", 1, "a"], [file, 2, "f"]]
    return {"id": test, "status": "timeout", "seconds": 3.0, "frames": frames, **more}


def ended(test="t.py::a", status="passed", seconds=0.1):
    return {"id": test, "status": status, "seconds": seconds}


def test_the_first_gets_the_floor_and_a_slow_neighbour_gives_more():
    limits = OrderLimits({**ORDER, "collect_timeout_s": 120.0})
    assert (limits.of("a"), limits.shared) == (FLOOR_S, 120.0), "the first setup may make a database"
    assert OrderLimits(ORDER).shared == 30.0
    limits.learn("passed", 0.5)
    assert (limits.of("a"), limits.shared) == (FACTOR * 0.5, SHARED_FLOOR_S)
    limits.learn("failed", 9.0)
    assert limits.of("a") == 30.0


def test_a_test_that_waits_gets_more_but_no_more_than_is_configured_nor_its_own_limit():
    limits = OrderLimits({**ORDER, "timeouts_s": {"own": 1.0}})
    assert limits.waiting("a", 1.0) == WAITING_FACTOR
    assert limits.waiting("a", 29.0) == 30.0
    assert limits.waiting("own", 1.0) == 0.0
    assert OrderLimits({"timeout_s": 30.0}).waiting("a", 1.0) == 0.0


def test_after_a_hang_further_tests_are_waited_for_less_long():
    limits = OrderLimits(ORDER)
    limits.learn("timeout", 3.0)
    assert (limits.of("a"), limits.shared) == (SHORT_FLOOR_S, SHARED_FLOOR_S)
    limits.learn("passed", 0.2)
    assert limits.of("a") == FACTOR * 0.2


def test_a_limit_of_its_own_counts_and_without_adaptation_the_configured_one():
    assert OrderLimits({**ORDER, "timeouts_s": {"a": 0.2}}).of("a") == 0.2
    plain = OrderLimits({"timeout_s": 30.0})
    plain.learn("timeout", 1.0)
    assert (plain.of("a"), plain.shared) == (30.0, 30.0)


@given(
    configured=st.floats(min_value=0.1, max_value=100),
    ends=st.lists(st.tuples(st.sampled_from(["passed", "failed", "timeout"]), st.floats(0, 1e4))),
)
def test_it_is_never_more_than_what_is_configured(configured, ends):
    limits = OrderLimits({"timeout_s": configured, "adaptive": True})
    for status, seconds in ends:
        limits.learn(status, seconds)
        assert 0 < limits.of("a") <= configured
        assert 0 < limits.shared <= configured


def test_a_further_process_knows_what_the_one_before_learned():
    known = learned([ended(seconds=0.4), hung(), ended(status="crashed", seconds=50.0)])
    assert known == {"slowest_s": 0.4, "usual_s": 0.4, "hangs": 1}
    assert OrderLimits({**ORDER, **known}).of("b") == FACTOR * 0.4


def test_one_slow_test_does_not_make_each_hang_slow():
    results = [*(ended(f"t.py::t{number}", seconds=0.01) for number in range(99)), ended(seconds=1.2), hung()]
    assert OrderLimits({**ORDER, **learned(results)}).of("b") == SLOWEST_FACTOR * 1.2
    limits = OrderLimits(ORDER)
    for one in results:
        limits.learn(one["status"], one["seconds"])
    assert limits.of("b") == SLOWEST_FACTOR * 1.2
    assert limits.shared == FACTOR * 1.2


def test_one_of_each_kind_is_tried_once_more():
    found = [hung("t.py::a"), hung("t.py::b"), hung("u.py::c", file="n.py"), ended("t.py::d", "crashed")]
    assert suspects.one_of_each_kind(found) == ["t.py::a", "u.py::c", "t.py::d"]


def test_who_gives_a_test_its_own_limit_knows_what_to_make_of_it():
    report = {"results": [hung("a"), hung("b"), ended("c")]}
    assert [one["id"] for one in suspects.of({"timeouts_s": {"a": 1.0}}, report)] == ["b"]


@every_case(
    ("found", "verdicts", "sorted_out"),
    [
        # What hangs again is confirmed with all of its kind.
        (
            [hung("a"), hung("b"), hung("c", file="n.py")],
            {"a": hung("a"), "c": ended("c", seconds=5.0)},
            (["a", "b"], [5.0]),
        ),
        # What ends within the first limit was not slow, and what takes just as long as that was.
        ([hung("a")], {"a": ended("a", seconds=0.1)}, ([], [])),
        ([hung("a")], {"a": ended("a", seconds=0.99 * hung()["seconds"])}, ([], [0.99 * hung()["seconds"]])),
    ],
)
def test_a_second_verdict_tells_hangs_from_slow_tests(found, verdicts, sorted_out):
    assert suspects.sorted_out(found, verdicts) == sorted_out


@every_case(("left", "limit"), [(10.0, 6.0), (100.0, 15.0), (1e4, 30.0)])
def test_the_second_time_is_longer_and_within_the_configured_limit(left, limit):
    order = suspects.trial(ORDER, {"results": [hung()]}, ["a"], left)
    assert (order["timeout_s"], order["adaptive"], order["tests"]) == (limit, False, ["a"])


STACK = b"""\
Current thread 0x00007f (most recent call first):
  File "/work/shop/cart.py", line 7 in total
  File "/usr/lib/python3/unittest.py", line 3 in run
  File "/work/test_cart.py", line 2 in test_total"""


def fed(*texts):
    stack = Stack()
    for text in texts:
        for line in text.split(b"\n"):
            stack.feed(line)
    return stack.frames("/work")


def test_the_frames_of_the_project_outermost_first():
    assert fed(STACK) == [("test_cart.py", 2, "test_total"), ("shop/cart.py", 7, "total")]
    assert fed(STACK, STACK.split(b"\n")[0]) == fed(STACK), "one that was cut short leaves the one before"
    line = b'  File "/work/a.py", line 1 in f'
    assert len(fed(b"(most recent call first):", b"\n".join([line] * 5000))) <= 200


@given(st.lists(st.binary(max_size=300)))
def test_whatever_is_written_there_it_reads_frames_or_nothing(lines):
    assert all(isinstance(line, int) for _path, line, _function in fed(*lines))


@every_case(
    ("known_s", "quick", "limit"),
    [
        (0.0, True, 120.0),
        (0.01, True, QUICK_COLLECTING_FLOOR_S),
        (0.01, False, COLLECTING_FLOOR_S),
        (3.0, True, 3 * COLLECTING_FACTOR),
        (3.0, False, 3 * COLLECTING_FACTOR),
        (50.0, False, 120.0),
    ],
)
def test_what_importing_a_candidate_may_take_follows_from_the_unchanged_project(known_s, quick, limit):
    assert collecting({"collect_timeout_s": 120.0, "quick": quick}, known_s) == limit
