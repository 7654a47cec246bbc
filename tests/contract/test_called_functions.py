"""Which functions each test calls, on every CPython that can say so without a trace."""

import pytest
from sections import sections

pytestmark = [pytest.mark.interpreters, pytest.mark.xdist_group("versions")]

SOURCES = sections("sources/called_functions.txt")[0].parts
SHOP = SOURCES["SHOP"]
TESTS = SOURCES["TESTS"]


@pytest.fixture(scope="module")
def seen(make, variant):
    """The whole run, and what later runs say."""
    with make(shop__py=SHOP, test_shop__py=TESTS).open() as bed:
        whole = bed.run()
        changed = bed.run(changes={"shop.py": SHOP.encode()})
        return whole, changed, bed.run(tests=["test_shop.py::test_total"])


def names(tests):
    return tests and {test.rpartition("::")[2] for test in tests}


def test_each_function_has_the_tests_that_call_it(seen, variant):
    calls = seen[0].calls
    if tuple(map(int, variant[2].split("."))) < (3, 12):
        assert calls is None
        return
    found = {line: names(calls.callers("shop.py", line)) for line in (1, 8, 12, 16, 22, 23)}
    assert found == {
        1: None,  # the import calls it
        8: {"test_total", "test_often"},
        12: {"test_total", "test_often", "test_after"},
        16: {"test_often"},
        22: {"test_cart"},
        23: {"test_cart"},
    }


def test_only_a_whole_run_of_the_unchanged_project_says_so(seen):
    assert [report.calls for report in seen[1:]] == [None, None]


def test_the_verdicts_are_the_same(seen):
    whole, changed, _alone = seen
    assert {result.test: result.status for result in whole.results} == {
        result.test: result.status for result in changed.results
    }


def test_what_comes_from_no_file_is_none_of_the_project_s(seen):
    calls = seen[0].calls
    assert calls is None or not [path for path, _line in calls.functions if path.startswith("<")]


def test_a_project_that_takes_hold_of_the_recording_harms_no_run(make, variant):
    hostile = "import sys\n\ndef no(): raise OSError\n\ngetattr(sys, 'monitoring', sys).restart_events = no\n"
    with make(
        shop__py=SHOP,
        test_shop__py="import shop\n\n\ndef test_often():\n    shop.often(5000)\n\n\n"
        "def test_again():\n    shop.often(1)\n",
        conftest__py=hostile,
    ).open() as bed:
        report = bed.run()
    assert [result.status.value for result in report.results] == ["passed", "passed"]
