"""What failing tests were before the change, on the base and by their own source; and what it left behind."""

import dataclasses

from agent_support import PROJECTS, failed_result, report, result, runtime
from agent_support import repaired as repair
from every_case import every_case
from fakes.testbed import FakeTestbed, FakeTestbeds, ScriptedTestbed
from sections import sections

from bot.agent.baseline.changed_tests import SourceChange, of_change, source_of
from bot.agent.nodes.before import before
from bot.agent.state import CULPRIT, RepairState
from bot.domain import Baseline, Before
from bot.request import Budget, RepairRequest
from bot.result import Outcome
from sandbox.errors import SandboxLost
from sandbox.reports import Comparison, TestStatus

BASE = PROJECTS["prices"]
OLD, OLD_TESTS = BASE.values()
NEW = OLD.replace("n * 3", "n * 4")
NEW_TESTS = OLD_TESTS.replace("== 1\n", "== 2\n") + "\n\ndef test_new():\n    assert price(1) == 3\n"
PRICE, LABEL, EDITED, FRESH = (f"test_shop.py::test_{name}" for name in ("price", "label", "edited", "new"))
HEAD = {"shop.py": NEW, "test_shop.py": NEW_TESTS}


def request(**more):
    differing = {path: text for path, text in BASE.items() if text != HEAD[path]}
    return {"base": differing, "base_name": "main", "base_whole": True, **more}


def compared(*, files=HEAD, base=BASE, testbeds=None, **more):
    """What the node makes of the failing tests of ``files``."""
    seen = FakeTestbed(files).run()
    beds = testbeds or FakeTestbeds.of(base)
    baseline = Baseline(failing=seen.failing, passing=seen.passing, runs=3)
    made = runtime(files=files, base_testbeds=beds, **request(**more))
    return before(RepairState(baseline=baseline), made), beds


def test_each_failing_test_is_classified_by_one_run_on_the_base():
    update, beds = compared()
    found = update["baseline"]
    assert dict(found.before) == {
        PRICE: Before.REGRESSION,
        LABEL: Before.FAILING,
        EDITED: Before.CHANGED,
        FRESH: Before.NEW,
    }
    assert len(beds.opened) == 1
    assert [(run.tests, run.seconds) for run in beds.opened[0].runs] == [((PRICE, LABEL), 45.0)]
    assert found.compared == "1 regression, 1 new test, 1 changed test, 1 failing before"
    # What failed before does not count beside others.
    assert [one.test for one in found.failing] == [PRICE, EDITED, FRESH]
    assert found.apart == ((LABEL, "it failed before this change as well, compared with main"),)


def test_a_file_that_could_not_be_collected_before_either_does_not_count_beside_others():
    """Of a file that is asked for as a whole, pytest's error comes first, and then a verdict on all of it."""
    error = failed_result("test_c.py", TestStatus.ERROR, exception="ModuleNotFoundError", message="No module")
    whole = failed_result("test_c.py", exception="", message="")
    then = report(error, error, result(PRICE), whole, whole)
    beds = FakeTestbeds(lambda _number: ScriptedTestbed(then))
    made = runtime(files=HEAD, base_testbeds=beds, **request())
    baseline = Baseline(failing=(error, failed_result(PRICE)), runs=3)
    found = before(RepairState(baseline=baseline), made)["baseline"]
    assert dict(found.before) == {"test_c.py": Before.FAILING, PRICE: Before.REGRESSION}
    assert [one.test for one in found.failing] == [PRICE]


ONLY_OLDER = {
    "shop.py": OLD + "\n\nX = 1\n",
    "test_shop.py": OLD_TESTS.replace("price(0) == 1", "price(0) == 0"),
}


def test_where_all_failed_before_a_request_is_needed():
    update, _ = compared(files=ONLY_OLDER, base=ONLY_OLDER, asked=False, base_lacks=frozenset())
    assert (update["outcome"], update["cause"]) == (Outcome.NOT_CODE, "failing_before")
    assert "the failing test failed before this change as well, compared with main" in update["reason"]
    for more in ({"asked": True}, {"asked": False, "strategy": CULPRIT}):
        update, _ = compared(files=ONLY_OLDER, base=ONLY_OLDER, **more)
        assert "outcome" not in update
        assert [one.test for one in update["baseline"].failing] == [LABEL]


def ended(status):
    """Testbeds of a base on which one test ended with ``status``."""
    return FakeTestbeds(lambda _number: ScriptedTestbed(report(result(PRICE, status), failed_result(LABEL))))


@every_case(
    ("more", "test"),
    [
        ({"base_whole": False}, LABEL),  # it may fail for want of a file that could not be read
        ({"base": {**BASE, "shop.py": OLD.replace("'old ' + str(n)", "1 / 0")}}, LABEL),  # in another way
        ({"testbeds": ended(TestStatus.SKIPPED)}, PRICE),
        ({"testbeds": ended(TestStatus.XFAILED)}, PRICE),
    ],
)
def test_what_the_base_does_not_show_is_not_classified(more, test):
    found = compared(**more)[0]["baseline"]
    assert test not in dict(found.before)
    assert test in found.fail_to_pass


def test_a_base_whose_sandbox_fails_costs_the_comparison_only():
    class Broken(FakeTestbeds):
        def open(self):
            raise SandboxLost("gone")

    update, _ = compared(testbeds=Broken(lambda _number: FakeTestbed({})))
    assert update["baseline"].before == ((EDITED, Before.CHANGED), (FRESH, Before.NEW))
    assert len(update["baseline"].failing) == 4


def test_a_parameter_that_the_base_does_not_have_makes_a_new_test():
    beds = FakeTestbeds(lambda _number: ScriptedTestbed(report(result(f"{PRICE}[1]"))))
    baseline = Baseline(failing=(failed_result(f"{PRICE}[1]"), failed_result(f"{PRICE}[2]")), runs=3)
    made = runtime(files=HEAD, base_testbeds=beds, **request())
    found = before(RepairState(baseline=baseline), made)["baseline"]
    assert dict(found.before) == {f"{PRICE}[1]": Before.REGRESSION, f"{PRICE}[2]": Before.NEW}


def test_without_a_base_nothing_is_run():
    made = runtime(files=HEAD)
    assert before(RepairState(baseline=Baseline(failing=(failed_result(PRICE),))), made) == {}


def showing(actual):
    """A fault that adds the two sides of the comparison, as pytest shows them."""

    def fault(_number, _run, seen):
        sides = Comparison(operator="==", left=repr(actual), right="'Hello a'")
        shown = (
            dataclasses.replace(one, comparison=sides) if one.exception == "AssertionError" else one
            for one in seen.results
        )
        return dataclasses.replace(seen, results=tuple(shown))

    return fault


def repaired(head, base, actual="Good day a", **more):
    return repair(
        head,
        base={path: text for path, text in base.items() if path in head and text != head[path]},
        base_name="main",
        base_whole=True,
        base_lacks=frozenset(path for path in head if path not in base),
        budget=Budget(attempts=200),
        testbeds=FakeTestbeds(lambda _number: FakeTestbed(head, fault=showing(actual))),
        base_testbeds=FakeTestbeds.of(base),
        **more,
    )


def test_the_repair_says_what_the_tests_were_and_leaves_older_failures_alone():
    head = {**ONLY_OLDER, "shop.py": NEW}
    found = repaired(head, {**head, "shop.py": OLD})
    assert found.outcome is Outcome.PATCHED
    assert "+    return n * 3" in found.diff
    assert found.baseline.compared == "1 regression, 1 failing before"
    assert [test for test, _ in found.baseline.apart] == [LABEL]


WITH_OTHER = PROJECTS["greeting"]
GREETING, OTHER = WITH_OTHER["hi.py"], WITH_OTHER["test_b.py"]
ALONE = {path: text for path, text in WITH_OTHER.items() if path != "test_b.py"}
GREETED, ADAPTED = (text.replace("Hello", "Good day") for text in (GREETING, OTHER))


def test_a_test_that_the_change_forgot_is_said_to_be_outdated():
    """Another test was adapted in the same way, and fails without the culprit."""
    found = repaired({**WITH_OTHER, "hi.py": GREETED, "test_b.py": ADAPTED}, WITH_OTHER)
    assert (found.outcome, found.cause) == (Outcome.NOT_CODE, "outdated_test")
    (one,) = found.outdated
    assert (one.test, one.path, one.line) == ("test_a.py::test_greet", "test_a.py", 5)
    assert (one.expected, one.actual) == ("'Hello a'", "'Good day a'")
    assert one.because == "this change adapts test_b.py::test_other in the same way"
    assert found.culprit.lines == (("hi.py", (2, 2)),)
    assert found.culprit.needed == ("test_b.py::test_other",)
    assert "the failing test asserts what this change replaces on purpose: test_a.py:5" in found.reason


def test_on_request_the_outdated_test_gets_the_new_value():
    head = {**WITH_OTHER, "hi.py": GREETED, "test_b.py": ADAPTED}
    found = repaired(head, WITH_OTHER, fix_tests=True)
    assert (found.cause, found.diff, found.patch) == ("outdated_test", "", None)
    changed = [line for line in found.adapted_diff.splitlines() if line[:1] in "+-"]
    assert changed[0] == "--- a/test_a.py"
    assert changed[2:] == ["-    assert greet('a') == 'Hello a'", "+    assert greet('a') == 'Good day a'"]


def test_each_outdated_assertion_of_a_test_gets_its_new_value():
    twice = {
        **WITH_OTHER,
        "test_a.py": WITH_OTHER["test_a.py"].rstrip() + "\n    assert greet('a') == 'Hello ' 'a'\n",
    }
    head = {**twice, "hi.py": GREETED, "test_b.py": ADAPTED}
    found = repaired(head, twice, fix_tests=True)
    assert found.adapted_diff.count("+    assert greet('a') == 'Good day a'\n") == 2


def test_a_new_value_with_which_the_test_does_not_pass_is_not_shown():
    """The value that the failure shows is not the one that the next run gives."""
    head, added = {**ALONE, "hi.py": GREETED}, ("- ``greet`` says Good night now.",)
    found = repaired(head, ALONE, documents=added, actual="Good night a", fix_tests=True)
    assert (found.cause, found.adapted_diff) == ("outdated_test", "")


def test_a_new_test_that_asserts_the_opposite_shows_the_purpose():
    new = "from hi import greet\n\n\ndef test_new():\n    assert greet('a') == 'Good day a'\n"
    found = repaired({**ALONE, "hi.py": GREETED, "test_c.py": new}, ALONE)
    assert found.cause == "outdated_test"
    assert found.outdated[0].because == "test_c.py::test_new, a test of this change, asserts that"


def test_documentation_of_the_same_change_shows_the_purpose():
    head, added = {**ALONE, "hi.py": GREETED}, ("- ``greet`` says Good day now.",)
    assert repaired(head, ALONE, documents=added).cause == "outdated_test"
    for nothing in ((), ("- Say Good day.",), ("- ``greet`` is better now.",)):
        found = repaired(head, ALONE, documents=nothing)
        assert (found.outcome, found.cause) == (Outcome.PATCHED, "")


def test_a_slip_beside_an_intended_change_is_no_outdated_test():
    """The adapted test needs the culprit, and what fails is another value: that is to be repaired."""
    slip = GREETED.replace("'Good day ' + name", "'Good day ' + name if name == 'b' else 'Good da ' + name")
    found = repaired({**WITH_OTHER, "hi.py": slip, "test_b.py": ADAPTED}, WITH_OTHER, actual="Good da a")
    assert (found.cause, found.outdated) == ("", ())


def test_what_a_test_of_the_change_needs_is_not_taken_back():
    """The adapted test asserts another value than the failing one would need: nothing undoes the change."""
    other = OTHER.replace("greet('b') == 'Hello b'", "greet('b').startswith('Good')")
    found = repaired({**WITH_OTHER, "hi.py": GREETED, "test_b.py": other}, WITH_OTHER)
    assert found.culprit.needed == ("test_b.py::test_other",)
    assert "test_b.py::test_other, a test of this change, needs it" in found.culprit.sentence
    assert "Hello" not in found.diff


def test_the_evidence_counts_the_tests_of_the_change():
    base = {**ALONE, "hi.py": GREETING + "\n\nX = 1\n"}
    new = "from hi import size\n\n\ndef test_size():\n    assert size('a') == 1\n"
    found = repaired({**ALONE, "hi.py": GREETED, "test_c.py": new}, base)
    assert found.outcome is Outcome.PATCHED
    assert found.evidence.of_change == ("test_c.py::test_size",)
    assert "take back this part of the change" in found.explanation


EARLIER, LATER = sections("sources/changed_tests.txt")[0].parts.values()
REQUEST = RepairRequest(
    strategy="search", base={"test_m.py": EARLIER, "m.py": "x"}, base_lacks=frozenset({"test_fresh.py"})
)
SOURCES = {"test_m.py": LATER, "m.py": "y", "test_fresh.py": "z", "test_same.py": EARLIER}


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


def test_a_test_that_is_nested_too_deeply_to_be_compared_is_unknown():
    text = "def test_a():\n    assert f(" + " + ".join(["1"] * 900) + ")\n"
    request = RepairRequest(strategy="search", base={"test_m.py": text + "x = 1\n"})
    assert source_of("test_m.py::test_a", request, {"test_m.py": text}) is SourceChange.UNKNOWN


def test_the_tests_of_a_change_are_the_added_and_the_changed_ones():
    names = ["test_m.py::test_a", "test_m.py::TestB::test_c", "test_fresh.py::test_x", "test_same.py::test_a"]
    results = [result(name) for name in names]
    assert [one.test for one in of_change(results, REQUEST, SOURCES)] == names[1:3]
    assert of_change(results, RepairRequest(strategy="search"), SOURCES) == ()
