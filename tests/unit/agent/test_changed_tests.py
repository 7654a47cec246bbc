"""What a change did to a test's own source."""

from every_case import every_case
from sections import sections

from bot.agent.baseline.changed_tests import SourceChange, of_change, source_of
from bot.request import RepairRequest
from sandbox.reports import TestResult, TestStatus

OLD, NEW = sections("sources/changed_tests.txt")[0].parts.values()
REQUEST = RepairRequest(
    strategy="search", base={"test_m.py": OLD, "m.py": "x"}, base_lacks=frozenset({"test_fresh.py"})
)
SOURCES = {"test_m.py": NEW, "m.py": "y", "test_fresh.py": "z", "test_same.py": OLD}


@every_case(
    ("test", "expected"),
    [
        ("test_m.py::test_a[1]", SourceChange.SAME),  # annotations are no change
        ("test_m.py::test_d", SourceChange.SAME),
        ("test_m.py::TestB::test_c", SourceChange.CHANGED),
        ("test_m.py::test_new", SourceChange.ADDED),
        ("test_m.py::TestB::test_inherited", SourceChange.UNKNOWN),
        ("test_m.py", SourceChange.CHANGED),
        ("test_fresh.py::test_x", SourceChange.ADDED),
        ("test_same.py::test_a", SourceChange.SAME),
        ("make test", SourceChange.UNKNOWN),
    ],
)
def test_by_the_syntax_tree_of_both_versions(test, expected):
    assert source_of(test, REQUEST, SOURCES) is expected


@every_case("text", ["def broken(:\n", ""])
def test_what_does_not_parse_is_unknown(text):
    assert source_of("test_m.py::test_a", REQUEST, {"test_m.py": text}) is SourceChange.UNKNOWN


def test_the_tests_of_a_change_are_the_added_and_the_changed_ones():
    names = ["test_m.py::test_a", "test_m.py::TestB::test_c", "test_fresh.py::test_x", "test_same.py::test_a"]
    results = [TestResult(test=name, status=TestStatus.PASSED) for name in names]
    assert [one.test for one in of_change(results, REQUEST, SOURCES)] == names[1:3]
    assert of_change(results, RepairRequest(strategy="search"), SOURCES) == ()
