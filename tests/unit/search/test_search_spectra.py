"""Which lines are suspicious, by the lines that tests execute, their steps and their stack traces."""

import math

import pytest
from every_case import every_case

from bot.search import ochiai, suspicious_lines
from bot.search.spectra import step_shares
from sandbox.reports import Frame, Steps, TestResult, TestStatus


def failed(name="t::red", lines=(), frames=(), steps=None):
    found = tuple(Frame(path=path, line=line, function="f") for path, line in frames)
    return TestResult(test=name, status=TestStatus.FAILED, lines=dict(lines), frames=found, steps=steps)


def passed(name="t::green", lines=()):
    return TestResult(test=name, status=TestStatus.PASSED, lines=dict(lines))


def is_source(path):
    return not path.startswith("test")


def test_ochiai_follows_its_formula():
    failing = [failed("a", {"m.py": (1, 2)}), failed("b", {"m.py": (1, 3)})]
    passing = [passed("c", {"m.py": (1, 9)}), passed("d", {"m.py": (1, 3)})]
    scores = ochiai(failing, passing)
    assert scores["m.py", 1] == pytest.approx(2 / math.sqrt(2 * 4))
    assert scores["m.py", 2] == pytest.approx(1 / math.sqrt(2 * 1))
    assert scores["m.py", 3] == pytest.approx(1 / math.sqrt(2 * 2))
    assert ("m.py", 9) not in scores, "only a passing test runs it"
    assert ochiai([failed()], [passed()]) == {}


@every_case(
    ("executed", "frames", "green", "lines"),
    [
        ((), [], (), []),
        ((), [("test_m.py", 4), ("m.py", 10), ("m.py", 20)], (), [20, 10]),  # frames count by themselves
        ((2, 18, 20, 45), [("m.py", 20)], (), [20, 18, 2, 45]),  # closeness breaks ties
        ((1, 30), [("m.py", 31)], (30,), [1, 30, 31]),  # the spectrum outweighs closeness
    ],
)
def test_the_innermost_frame_leads_and_then_the_spectrum(executed, frames, green, lines):
    failing = [failed(lines={"m.py": executed, "test_m.py": (1, 2)} if executed else {}, frames=frames)]
    found = suspicious_lines(failing, [passed(lines={"m.py": green})], is_source)
    assert [(suspicion.path, suspicion.line) for suspicion in found] == [("m.py", line) for line in lines]


def test_the_order_does_not_depend_on_the_order_of_the_tests():
    failing = [failed("a", {"m.py": (1, 2), "n.py": (7,)}), failed("b", {"n.py": (7, 8)})]
    assert suspicious_lines(failing, [], is_source) == suspicious_lines(failing[::-1], [], is_source)


def stepped(count, earlier, last, lines):
    steps = Steps(count=count, earlier={"m.py": earlier}, last={"m.py": last})
    return failed(lines={"m.py": lines}, steps=steps)


def test_the_failing_step_leads_within_a_test():
    result = stepped(4, {1: 4, 2: 4, 3: 2}, (1, 3, 4), (1, 2, 3, 4))
    shares = step_shares([result])
    assert shares["m.py", 4] == 1.0
    assert shares["m.py", 3] == pytest.approx(1 / math.sqrt(1 + 3 * 0.5))
    assert shares["m.py", 1] == pytest.approx(0.5)
    assert shares["m.py", 2] < shares["m.py", 1]
    found = suspicious_lines([result], [], is_source)
    assert [suspicion.line for suspicion in found] == [4, 3, 1, 2]


def test_one_step_tells_nothing_apart_and_made_up_counts_stay_in_range():
    assert set(step_shares([stepped(0, {}, (1, 2), (1, 2))]).values()) == {1.0}
    assert set(step_shares([stepped(0, {1: 10**9}, (1,), (1,))]).values()) == {0.5}


def test_without_spectra_all_executed_lines_are_alike():
    failing = [failed(lines={"m.py": (1, 30)})]
    passing = [passed(lines={"m.py": (30,)})]
    found = suspicious_lines(failing, passing, is_source, spectra=False)
    assert [suspicion.score for suspicion in found] == [1.0, 1.0]
