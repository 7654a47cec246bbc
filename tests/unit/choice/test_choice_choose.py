"""One of several plausible patches: what decides, and what is said about it."""

import itertools
from dataclasses import replace
from functools import partial

import pytest
from choice_support import PATH, alternative, report
from every_case import every_case
from sections import sections

from bot.choice.choose import choose
from bot.result import Basis, Choice
from sandbox.probes import ProbeReport

SOURCE, TRIED = sections("sources/choice_choose.txt")[0].parts.values()
SOURCES = {PATH: SOURCE}
change = partial(alternative, SOURCE)
LESS = change("<", "<=")
MORE = change("10", "11", score=0.4)


def chosen(attempts, found=None):
    return choose(attempts, SOURCES, found or ProbeReport())


@every_case(
    ("better", "worse"),
    [
        (change("<", "<="), change("<", "<=", score=0.4)),
        (change("<", "<="), change("weight < 10", "weight < 10 and axles < 4")),
        (change("<", "<=", score=0.2), change("    if weight < 10:\n        return axles\n", "")),
        (change("axles * 2", "axles + 2", score=0.2), change("return fee", "return axles")),
        (change("+ weight", "- weight", score=0.2), change("axles * 2", "weight - weight")),
        (change("10", "11", score=0.4), change("10", "4711")),
        (change("axles * 2", "axles * 2 * night", score=0.2), change("axles * 2", "axles * 3")),
    ],
    ids=["likelier", "smaller", "no deletion", "uses all", "no sense", "no strange number", "puts to use"],
)
def test_looks_decide_where_nothing_was_tried(better, worse):
    for attempts in itertools.permutations([better, worse]):
        assert chosen(attempts).attempt is better


def test_one_patch_is_no_choice():
    only = chosen([LESS]).choice
    assert (only.alternatives, only.basis, only.ambiguous) == (0, Basis.ONLY, False)
    assert only.reason == "no other candidate that was tried passes the tests"


def test_what_a_model_writes_into_the_gap_speaks_for_all_that_behave_so():
    likelier, same, other = (change("<", "<=", score=0.5), change("10", "11", score=0.2), change("10", "9"))
    written = replace(other, candidate=replace(other.candidate, gap=0.8, score=0.1))
    answers = report([1, 2, 3], [1, 4, 4], [1, 4, 4], [0, 4, 3])
    attempts = [likelier, same, written]
    found = chosen(attempts, answers)
    assert found.attempt in {same, written}
    assert found.choice.ambiguous
    unwritten = [likelier, same, replace(written, candidate=replace(written.candidate, gap=0.0))]
    assert chosen(unwritten, answers).attempt is likelier


def test_of_equal_texts_the_searchs_is_taken_since_it_says_what_it_changes():
    searched = change("10", "9", score=0.01)
    written = change("weight < 10", "weight < 9", score=0.5)
    written = replace(written, candidate=replace(written.candidate, gap=0.8))
    assert chosen([written, searched], report([1, 2], [1, 2], [0, 2])).attempt is searched
    other = change("10", "8", score=0.01)
    assert chosen([written, other], report([1, 2], [1, 2], [0, 2])).attempt is written


@every_case(
    ("bad", "good"),
    [
        ([1, 2, "!KeyError", "!KeyError"], [1, 2, 5, 4]),
        ([1, 2, "...", 4], [1, 2, 5, 4]),
        ([1, 2, None, 4], [1, 2, 5, 4]),
        ([1, 2, 5.0, 4.0], [1, 2, 5, 4]),
        ([1, 1, 1, 1], [1, 2, 5, 4]),
    ],
    ids=["raises", "hangs", "ends early", "other type", "always the same"],
)
def test_behaviour_outweighs_a_likelier_patch(bad, good):
    likelier, other = (change("<", "<=", score=0.5), change("+ weight", "- weight", score=0.4))
    found = chosen([likelier, other], report(bad, good, [0, 2, 3, 3]))
    if None in bad:  # nothing is known of that input: it does not count
        assert found.attempt is likelier
        return
    assert found.attempt is other
    assert found.choice.basis is Basis.EVIDENCE
    assert not found.choice.ambiguous


@every_case(
    ("other", "found", "is_taken"),
    [
        # What is far from the tests does not count, and a crash that all share is the input's fault.
        (MORE, report([1, "!KeyError", "!KeyError"], [1, 2, 3], [0, 2, 3], far=(1, 2)), False),
        (MORE, report([1, "!KeyError"], [1, "!KeyError"], [0, "!KeyError"]), False),
        # A documented example outweighs all else.
        (
            change("10", "711", score=0.1),
            report([1, 3], [1, 5], [1, 3], examples=(["violated", "violated"], ["kept", "violated"])),
            True,
        ),
    ],
)
def test_what_a_probe_shows_counts_where_it_tells_of_the_patch(other, found, is_taken):
    made = chosen([LESS, other], found)
    assert (made.attempt is other, made.choice.basis is Basis.EVIDENCE) == (is_taken, is_taken)


def test_ways_to_one_behaviour_support_each_other():
    twins = [change("10", "11", score=0.35), change("weight <", "weight - 1 <", score=0.3)]
    alone = change("<", "<=", score=0.4)
    found = chosen([alone, *twins], report([1, 9], [1, 8], [1, 8], [0, 7]))
    assert found.attempt is twins[0]


def further(made):
    """``made`` as a further change on top of another one of its lines."""
    return replace(made, candidate=replace(made.candidate, origin="x + y"))


def test_further_changes_that_do_the_same_make_the_choice_no_surer():
    other = change("axles * 2", "axles * 3", score=0.05)
    same = [change("10", "11", score=0.35), change("weight <", "weight - 1 <", score=0.3)]
    found = report([1, 2], [1, 2], [1, 2], [1, 3], [0, 2])
    sure = chosen([LESS, *same, other], found).choice
    unsure = chosen([LESS, *map(further, same), other], found).choice
    assert sure.share > unsure.share
    assert not sure.ambiguous


def test_further_changes_that_do_otherwise_count_as_one_of_them():
    odd = [further(change("axles * 2", f"axles * {number}", score=0.3)) for number in (3, 4, 5)]
    one = chosen([LESS, odd[0]], report([1, 2], [1, 3], [0, 2])).choice
    three = chosen([LESS, *odd], report([1, 2], [1, 3], [1, 4], [1, 5], [0, 2])).choice
    assert three.share == pytest.approx(one.share)
    assert three.share < 1


def test_a_minority_is_ambiguous_whatever_the_evidence():
    made = Choice(basis=Basis.EVIDENCE, reason="", alternatives=5, behaviours=3, inputs=9, share=0.4)
    assert made.ambiguous
    assert not replace(made, share=0.6).ambiguous
    assert replace(made, basis=Basis.LOOKS, share=0.6).ambiguous


def test_constants_that_calls_do_not_show_make_the_choice_ambiguous():
    code = f"FEW = 2\nMANY = 2\n\n\n{SOURCE}"
    ways = [alternative(code, "FEW = 2", "FEW = 0"), alternative(code, "MANY = 2", "MANY = 3")]
    found = choose(ways, {PATH: code}, report([1], [1], [1])).choice
    assert found.ambiguous
    assert found.reason.endswith("they change what runs at import, and calls show no difference")


def test_a_very_large_alternative_leaves_the_choice_to_the_evidence():
    large = change("axles * 2", "axles * 2" + "\n" * 3000)
    found = chosen([LESS, large], report([1, 2], [1, 3], [0, 2]))
    assert found.attempt is LESS
    assert found.choice.inputs == 2


def test_it_says_where_alternatives_differ():
    third = change("axles * 2", "axles * 3", score=0.3)
    found = chosen([LESS, MORE, third], report([1, 2, 3], [1, 2, 4], [1, 2, 3], [0, 2, 3])).choice
    assert (found.alternatives, found.behaviours, found.inputs) == (2, 2, 3)
    (difference,) = found.differences
    assert (difference.alternative, difference.call) == ("10 to 11", "f(2)")
    assert (difference.chosen, difference.other) == ("3", "4")


def test_alternatives_that_might_as_well_be_right_make_the_choice_ambiguous_and_unlikely_ones_do_not():
    found = chosen([LESS, MORE], report([1, 2, 3], [1, 2, 4], [0, 2, 3])).choice
    assert (found.basis, found.ambiguous) == (Basis.LOOKS, True)
    assert found.reason == (
        "1 other patch also passes all tests but behaves differently on further inputs; "
        "this one was chosen for its size and likelihood"
    )
    unlikely = change("axles * 2", "axles * 7919 - axles", score=0.01)
    found = chosen([LESS, unlikely], report([1, 2, 3], [1, 2, 4], [0, 2, 3])).choice
    assert (found.basis, found.ambiguous) == (Basis.LOOKS, False)
    assert 0.95 < found.share < 1
    assert found.differences, "it is shown all the same"


@every_case(
    ("source", "old", "plain", "other"),
    [
        (SOURCE, "axles * 2", "axles + axles", "axles + axles - 0 + 0"),
        (TRIED, "ValueError", "(ValueError, TypeError)", "Exception"),
    ],
    ids=["short", "one handler"],
)
def test_of_those_that_behave_alike_the_plainest_is_chosen_whatever_its_likelihood(source, old, plain, other):
    better = alternative(source, old, plain, score=0.2)
    worse = alternative(source, old, other, score=0.9)
    found = choose([worse, better], {PATH: source}, report([1, 2], [1, 2], [0, 2]))
    assert found.attempt is better
    assert found.choice.basis is Basis.ALIKE


def test_of_those_that_behave_alike_one_asks_for_none_alone_and_they_are_said_to_be_so():
    narrow = change("    fee", "    if night is None:\n        return 0\n    fee", score=0.5)
    wide = change("    fee", "    if not night:\n        return 0\n    fee", score=0.2)
    assert chosen([wide, narrow], report([1, 2], [1, 2], [0, 2])).attempt is narrow
    found = chosen([LESS, MORE], report([1, 2], [1, 2], [0, 2])).choice
    assert (found.basis, found.ambiguous, found.behaviours) == (Basis.ALIKE, False, 1)
    assert found.reason == "1 other patch also passes all tests and behaves the same on all 2 compared inputs"
    assert not found.differences


@every_case(
    "found",
    [ProbeReport(problem="no function"), report([1, 2], [0, 2]), report([None], [None], [None])],
    ids=["problem", "too few versions", "no outcome"],
)
def test_where_nothing_could_be_tried_it_says_so_and_warns(found):
    choice = chosen([LESS, MORE], found).choice
    assert (choice.basis, choice.ambiguous, choice.differences) == (Basis.LOOKS, True, ())
    assert (choice.behaviours, choice.inputs) == (0, 0)
    assert choice.reason.startswith(
        "1 other patch also passes all tests; their behaviour could not be compared"
    )


def test_a_version_that_could_not_be_tried_is_neither_blamed_nor_distinguished():
    found = chosen([LESS, MORE], report([], [1, 5], [0, 2]))
    assert found.attempt is LESS
    assert (found.choice.basis, found.choice.behaviours) == (Basis.LOOKS, 1)
    assert "could not be compared" in found.choice.reason


def test_at_most_three_differences_are_shown():
    alternatives = [change("10", str(number), score=0.3 - number / 1000) for number in range(11, 17)]
    answers = [[1, number] for number in range(7)]
    assert len(chosen([LESS, *alternatives], report(*answers, [0, 0])).choice.differences) == 3
