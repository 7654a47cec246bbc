import math

import pytest

from bot.search import ochiai, suspicious_lines
from bot.search.spectra import step_shares
from sandbox.reports import Frame, Steps, TestResult, TestStatus


def failed(name="t::red", lines=(), frames=()):
    return TestResult(test=name, status=TestStatus.FAILED, lines=dict(lines), frames=tuple(frames))


def passed(name="t::green", lines=()):
    return TestResult(test=name, status=TestStatus.PASSED, lines=dict(lines))


def frame(line, path="m.py", function="f"):
    return Frame(path=path, line=line, function=function)


def is_source(path):
    return not path.startswith("test")


def test_ochiai_follows_its_formula():
    failing = [failed("a", {"m.py": (1, 2)}), failed("b", {"m.py": (1, 3)})]
    passing = [passed("c", {"m.py": (1,)}), passed("d", {"m.py": (1, 3)})]
    scores = ochiai(failing, passing)
    assert scores["m.py", 1] == pytest.approx(2 / math.sqrt(2 * 4))
    assert scores["m.py", 2] == pytest.approx(1 / math.sqrt(2 * 1))
    assert scores["m.py", 3] == pytest.approx(1 / math.sqrt(2 * 2))


def test_a_line_that_only_passing_tests_run_is_no_suspect():
    assert ("m.py", 9) not in ochiai([failed(lines={"m.py": (1,)})], [passed(lines={"m.py": (9,)})])


def test_no_trace_is_no_spectrum():
    assert ochiai([failed()], [passed()]) == {}
    assert suspicious_lines([failed()], [], is_source) == ()


def test_frames_count_without_a_spectrum():
    found = suspicious_lines([failed(frames=[frame(4, "test_m.py"), frame(10), frame(20)])], [], is_source)
    assert (found[0].line, found[0].score) == (20, 1.0)
    assert {suspicion.path for suspicion in found} == {"m.py"}


def test_the_innermost_frame_leads_and_closeness_breaks_ties():
    found = suspicious_lines([failed(lines={"m.py": (2, 18, 20, 45)}, frames=[frame(20)])], [], is_source)
    assert [suspicion.line for suspicion in found] == [20, 18, 2, 45]


def test_the_spectrum_outweighs_closeness():
    failing = [failed(lines={"m.py": (1, 30)}, frames=[frame(31)])]
    passing = [passed(lines={"m.py": (30,)})]
    lines = [suspicion.line for suspicion in suspicious_lines(failing, passing, is_source)]
    assert lines.index(1) < lines.index(30)


def test_test_files_are_excluded_and_scores_normalised():
    failing = [failed(lines={"test_m.py": (1, 2), "m.py": (3, 4)})]
    passing = [passed(lines={"m.py": (4,)})]
    found = suspicious_lines(failing, passing, is_source)
    assert [(suspicion.path, suspicion.line) for suspicion in found] == [("m.py", 3), ("m.py", 4)]
    assert found[0].score == 1.0
    assert all(0 < suspicion.score <= 1 for suspicion in found)


def test_the_order_does_not_depend_on_the_order_of_the_tests():
    failing = [failed("a", {"m.py": (1, 2), "n.py": (7,)}), failed("b", {"n.py": (7, 8)})]
    assert suspicious_lines(failing, [], is_source) == suspicious_lines(failing[::-1], [], is_source)


def stepped(count, earlier, last, lines):
    steps = Steps(count=count, earlier={"m.py": earlier}, last={"m.py": tuple(last)})
    return TestResult(test="t::red", status=TestStatus.FAILED, lines={"m.py": tuple(lines)}, steps=steps)


def test_the_failing_step_leads_within_a_test():
    result = stepped(4, {1: 4, 2: 4, 3: 2}, (1, 3, 4), (1, 2, 3, 4))
    shares = step_shares([result])
    assert shares["m.py", 4] == 1.0
    assert shares["m.py", 3] == pytest.approx(1 / math.sqrt(1 + 3 * 0.5))
    assert shares["m.py", 1] == pytest.approx(0.5)
    assert shares["m.py", 2] < shares["m.py", 1]
    found = suspicious_lines([result], [], is_source)
    assert [suspicion.line for suspicion in found] == [4, 3, 1, 2]


def test_one_step_tells_nothing_apart():
    assert set(step_shares([stepped(0, {}, (1, 2), (1, 2))]).values()) == {1.0}


def test_made_up_counts_stay_in_range():
    assert set(step_shares([stepped(0, {1: 10**9}, (1,), (1,))]).values()) == {0.5}


def test_without_spectra_all_executed_lines_are_alike():
    failing = [failed(lines={"m.py": (1, 30)})]
    passing = [passed(lines={"m.py": (30,)})]
    found = suspicious_lines(failing, passing, is_source, spectra=False)
    assert [suspicion.score for suspicion in found] == [1.0, 1.0]
