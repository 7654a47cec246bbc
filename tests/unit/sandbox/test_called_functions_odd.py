"""The record of called functions is a test's word: odd numbers in it end the record, and nothing else."""

from every_case import every_case

from sandbox.reports import read_calls
from sandbox.runner import called
from sandbox.runner.called import CallRecord

GOOD = {"called": [0], "functions": [["shop.py", 3]]}


@every_case(
    "odd",
    [
        {"called": [-1], "functions": []},
        {"called": [1], "functions": []},
        {"called": [True], "functions": []},
        {"called": [0.0], "functions": []},
        {"called": [10**400], "functions": []},
        {"called": ["0"], "functions": []},
        {"called": {"0": 1}, "functions": []},
        {"called": 7, "functions": []},
        {"called": [0]},
        {"called": [0], "functions": {"shop.py": 3}},
        {"called": [0], "functions": [["shop.py", -3]]},
        {"called": [0], "functions": [["shop.py", True]]},
        {"called": [0], "functions": [["shop.py", 1e300]]},
        {"called": [0], "functions": [["shop.py", 10**300]]},
        {"called": [0], "functions": [["/etc/passwd", 3]]},
        {"called": [0], "functions": [["../other/shop.py", 3]]},
        {"called": [0], "functions": [["x" * 100_000, 3]]},
        {"called": [0], "functions": [["", 3]]},
        {"called": [0], "functions": [[["shop.py"], 3]]},
        {"called": [0], "functions": [["shop.py"]]},
        {"called": [0], "functions": ["ab"]},
    ],
)
def test_odd_numbers_end_the_record_and_nothing_else(odd):
    record = CallRecord()
    record.see("a::b", dict(GOOD))
    record.see("a::c", dict(odd))
    record.see("a::d", dict(GOOD))
    assert record.report() == {"tests": [], "functions": []}
    assert read_calls(record.report()) is None


def test_numbers_that_are_repeated_count_once_and_a_record_that_grows_too_long_ends(monkeypatch):
    record = CallRecord()
    record.see("a::b", {"called": [0] * 1000, "functions": [["shop.py", 3]]})
    assert record.report() == {"tests": ["a::b"], "functions": [["shop.py", 3, [0]]]}
    monkeypatch.setattr(called, "MAX_ENTRIES", 1010)
    record.see("a::c", {"called": [0] * 11, "functions": []})
    assert record.report()["functions"] == []


@every_case(
    "raw",
    [
        None,
        [],
        {"tests": ["a"]},
        {"tests": ["a"], "functions": []},
        {"tests": ["a"], "functions": [["m.py", 1, [1]]]},
        {"tests": ["a"], "functions": [["m.py", 1, [-1]]]},
        {"tests": ["a"], "functions": [["m.py", True, [0]]]},
        {"tests": ["a"], "functions": [["m.py", 1, [0.0]]]},
        {"tests": ["a"], "functions": [["m.py", 1]]},
        {"tests": [1], "functions": [["m.py", 1, [0]]]},
        {"tests": "a", "functions": [["m.py", 1, [0]]]},
    ],
)
def test_nonsense_out_of_a_sandbox_is_no_record(raw):
    assert read_calls(raw) is None


def test_a_record_names_the_callers():
    calls = read_calls({"tests": ["", "a", "b"], "functions": [["m.py", 1, [1, 2]], ["m.py", 9, [0, 1]]]})
    assert calls.callers("m.py", 1) == {"a", "b"}
    assert calls.callers("m.py", 9) is None
