"""Whether a candidate came nearer: by how its tests end."""

import pytest
from cost import cost
from every_case import every_case

from bot.search.nearness import distance
from bot.search.progress import behaviour, brief, place, progress, sentence
from sandbox.reports import Comparison, Frame, TestResult, TestStatus

TEST = "tests/test_m.py::test_it"


def ended(line=5, status=TestStatus.FAILED, exception="AssertionError", sides=None, test=TEST, message=""):
    compared = Comparison(operator=sides[0], left=sides[1], right=sides[2]) if sides else None
    frames = (Frame(path="tests/test_m.py", line=line, function="test_it"),) if line else ()
    return TestResult(
        test=test, status=status, exception=exception, comparison=compared, frames=frames, message=message
    )


PASSED = TestResult(test=TEST, status=TestStatus.PASSED)
OTHER = "tests/test_m.py::test_other"
HANG = {"status": TestStatus.TIMEOUT, "exception": "TestTimeout", "line": 0}


def of(before, after):
    return progress({before.test: before}, [after])


def test_the_scale_from_a_passing_test_to_a_nearer_value():
    before = {TEST: ended(), OTHER: ended(test=OTHER)}
    passed = progress(before, [PASSED])
    later = progress(before, [ended(line=6)])
    milder = of(ended(exception="TypeError"), ended())
    nearer = of(ended(sides=("==", "9", "2")), ended(sides=("==", "3", "2")))
    assert 1.0 > passed > of(before[TEST], ended(line=99)) > later > milder > nearer > 0.0
    assert progress(before, [PASSED, ended(test=OTHER, line=6)]) == passed


@every_case(
    ("old", "new"),
    [
        (ended(), ended()),
        (ended(line=5), ended(line=4)),
        (ended(), ended(exception="TypeError")),
        (ended(), ended(**HANG)),
        (ended(line=0), ended(line=0)),
        (ended(sides=("==", "2", "2.5")), ended(sides=("==", "9", "2.5"))),
        (ended(), TestResult(test=TEST, status=TestStatus.SKIPPED)),
        (ended(), ended(test="elsewhere")),
    ],
    ids=["same", "earlier", "raises", "hangs", "unknown", "farther", "skipped", "another test"],
)
def test_no_progress(old, new):
    assert of(old, new) == 0.0
    assert not sentence({old.test: old}, [new])


def test_one_test_that_ends_worse_spoils_it():
    before = {TEST: ended(), OTHER: ended(test=OTHER)}
    assert progress(before, [PASSED, ended(test=OTHER, exception="TypeError")]) == 0.0


@every_case(
    ("old", "new", "words"),
    [
        (ended(**HANG), ended(), "ends with a wrong value instead of a hang"),
        (ended(status=TestStatus.CRASHED, line=0), ended(**HANG), ""),
        (ended(exception="KeyError"), ended(), "ends with a wrong value instead of KeyError"),
        (
            ended(line=5),
            ended(line=8, exception="KeyError"),
            "fails later, in line 8 instead of 5 of its test",
        ),
        (ended(message="3 != 9"), ended(message="8 != 9 : text"), "compares nearer values"),
        (ended(), PASSED, "repairs 1 of 1 failing tests"),
    ],
)
def test_what_became_better_in_words(old, new, words):
    assert sentence({TEST: old}, [new]) == words
    assert bool(words) == (of(old, new) > 0)


def test_a_helper_of_the_test_file_counts_by_both_lines():
    inner = Frame(path="tests/test_m.py", line=40, function="check")
    source = Frame(path="m.py", line=90, function="f")
    result = TestResult(
        test=TEST,
        status=TestStatus.FAILED,
        frames=(Frame(path="tests/test_m.py", line=7, function="t"), inner, source),
    )
    assert place(result) == (7, 40)


def test_behaviour_forgets_addresses_and_times():
    one = ended(message="<object at 0x7f00>")
    other = TestResult(
        **{**{f: getattr(one, f) for f in one.__slots__}, "message": "<object at 0x7f99>", "seconds": 3}
    )
    assert behaviour([one]) == behaviour([other])
    assert behaviour([one]) != behaviour([ended(line=6, message="<object at 0x7f00>")])
    assert behaviour([one, ended(test=OTHER)]) == behaviour([ended(test=OTHER), one])


def test_what_is_kept_is_short():
    kept = brief(TestResult(test=TEST, status=TestStatus.FAILED, message="x" * 9_999, lines={"m.py": (1,)}))
    assert (len(kept.message), kept.lines) == (300, {})


@every_case(
    ("left", "near", "far"),
    [
        ("10", "11", "20"),
        ("10", "10.5", "11"),
        ("'kitten'", "'sitten'", "'sitting'"),
        ("[1, 2, 3]", "[1, 2, 4]", "[4, 4]"),
        ("[1, 2, 3]", "[1, 2, 4]", "[1, 2, 40]"),
        ("[1, 2, 3]", "[1, 2]", "[]"),
        ("{1, 2, 3}", "{1, 2}", "{7}"),
        ("{'a': 1, 'b': 2}", "{'a': 1, 'b': 3}", "{'c': 1}"),
        ("(1, 'a')", "(2, 'a')", "None"),
        ("[[1, 2], [3]]", "[[1, 2], [4]]", "[[9], [9]]"),
        (repr("a" * 900), repr("a" * 899 + "b"), repr("b" * 900)),
    ],
)
def test_nearer_values_are_nearer(left, near, far):
    def apart(right):
        return distance(Comparison(operator="==", left=left, right=right))

    assert 0.0 == apart(left) < apart(near) < apart(far) <= 1.0
    assert apart(far) == distance(Comparison(operator="==", left=far, right=left))


@every_case(
    "sides",
    [
        ("==", "<object>", "1"),
        ("==", "[" * 900, "1"),
        ("==", "1" * 2_001, "1"),
        ("==", "9" * 1_999, "1.5"),
        ("==", "{[]: 1}", "{}"),
        ("in", "1", "[2]"),
        ("<", "'a'", "'b'"),
        ("==", "(" * 300 + ")" * 300, "()"),
    ],
)
def test_hostile_texts_tell_nothing_and_do_no_harm(sides):
    found = distance(Comparison(operator=sides[0], left=sides[1], right=sides[2]))
    assert found is None or 0.0 <= found <= 1.0


def test_a_large_table_that_differs_in_one_cell_is_compared_at_once():
    table = [[row * column % 7 for column in range(24)] for row in range(24)]
    changed = [*table[:3], [*table[3][:4], 9, *table[3][5:]], *table[4:]]
    comparison = Comparison(operator="==", left=repr(table), right=repr(changed))
    assert distance(comparison) == pytest.approx((0.5 + 0.5 * (0.5 + 0.5 * 3 / 4) / 24) / 24, abs=0.001)
    # Measured at a third, and at 30 when every cell was compared with every other.
    assert cost(lambda: distance(comparison)) < 10


def test_infinities_are_as_far_as_can_be():
    assert distance(Comparison(operator="==", left="1e999", right="1")) == 1.0
    assert distance(Comparison(operator="<", left="5", right="3")) == pytest.approx(2 / 3)
