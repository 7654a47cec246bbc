"""Neighbours of a patch: other changes of its lines, and further changes of what it makes of them."""

from search_support import PATH, applied, change, everywhere

from bot.domain import Candidate, Patch, SpanEdit
from bot.search.difference.mixtures import TAKES_BACK
from bot.search.neighbours import MAX_NEIGHBOURS, neighbours
from bot.search.stream import Stream

CODE = "def f(a, b):\n    c = a - 1\n    return c is b\n\n\ndef g(n):\n    return n * 2\n"
SOURCES = {PATH: CODE}


FIRST = change(CODE, "c is b", "c is not b")


def lines_changed(candidate):
    new = applied(CODE, candidate.patch).splitlines()
    return {number for number, line in enumerate(CODE.splitlines(), start=1) if line not in new}


def test_neighbours_change_the_same_lines_and_hold_what_is_likelier_than_the_first():
    found = list(neighbours(FIRST, SOURCES))
    assert 10 < len(found) <= MAX_NEIGHBOURS
    assert all(candidate.near for candidate in found)
    assert not any({1, 2, 6, 7} & lines_changed(candidate) for candidate in found)
    assert CODE.replace("c is b", "c != b") in [applied(CODE, candidate.patch) for candidate in found]


def test_neighbours_change_the_patched_lines_further():
    longer = change(CODE, "c is b", "c is b and a > 1")
    found = list(neighbours(longer, SOURCES))
    further = [candidate for candidate in found if candidate.order == 2]
    assert CODE.replace("c is b", "a > 1") in [applied(CODE, candidate.patch) for candidate in further]
    assert all(candidate.origin.startswith("mine + ") for candidate in further)
    assert all(candidate.score <= longer.score for candidate in further)


def test_an_older_version_of_many_lines_is_changed_no_further():
    """Else eight copies of it pass the tests, and nothing else is looked for."""
    older = "    c = a - 1\n    c += b\n    c -= a\n    return c\n"
    for why, further in ((f"{TAKES_BACK}: all", False), ("rewrite it", True)):
        start, end = CODE.index("    c = a"), CODE.index("\n\n\n") + 1
        edit = SpanEdit(path=PATH, start=start, end=end, replacement=older)
        back = Candidate(patch=Patch(edits=(edit,)), origin="base", score=0.5, explanation=why)
        found = list(neighbours(back, SOURCES))
        assert found
        assert any(one.order == 2 for one in found) == further


def test_neighbours_of_an_insertion_are_in_its_line():
    at = CODE.index("    return c")
    edit = SpanEdit(path=PATH, start=at, end=at, replacement="    if a > 1:\n        return b\n")
    inserted = Candidate(patch=Patch(edits=(edit,)), origin="mine", score=0.5)
    texts = [applied(CODE, candidate.patch) for candidate in neighbours(inserted, SOURCES)]
    assert any("if a >= 1:\n        return b\n" in text for text in texts)
    assert all("def g(n):\n    return n * 2\n" in text for text in texts)


def test_neighbours_of_whole_lines_leave_the_line_behind_them_alone():
    at, end = CODE.index("    c = a"), CODE.index("    return c")
    edit = SpanEdit(path=PATH, start=at, end=end, replacement="    c = a + 1\n")
    replaced = Candidate(patch=Patch(edits=(edit,)), origin="mine", score=0.5)
    texts = [applied(CODE, candidate.patch) for candidate in neighbours(replaced, SOURCES)]
    assert texts
    assert all("    return c is b\n" in text for text in texts)


def test_a_stream_that_looks_around_draws_the_neighbours_next():
    stream = Stream(SOURCES, everywhere(CODE, PATH))
    before = [stream.draw() for _ in range(5)]
    stream.look_around(FIRST)
    stream.look_around(before[0])  # only of the first
    near = [stream.draw() for _ in range(10)]
    assert all(candidate.near for candidate in near)
    rest = list(iter(stream.draw, None))
    texts = [applied(CODE, candidate.patch) for candidate in (*before, *near, *rest)]
    assert len(set(texts)) == len(texts)
    assert any(not candidate.near for candidate in rest)


def test_two_streams_that_look_around_at_the_same_place_are_the_same():
    drawn = []
    for _ in range(2):
        stream = Stream(SOURCES, everywhere(CODE, PATH))
        found = [stream.draw() for _ in range(7)]
        stream.look_around(FIRST)
        drawn.append([*found, *iter(stream.draw, None)])
    assert drawn[0] == drawn[1]
