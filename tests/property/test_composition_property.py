"""Two changes as one patch: the same text as one after the other."""

from hypothesis import given
from hypothesis import strategies as st

from bot.domain import Candidate, Patch, SpanEdit
from bot.patch.apply import apply
from bot.patch.minimise import minimised
from bot.search.composition import on_top, union

TEXTS = st.text("ab\n", max_size=30)


def candidate(patch):
    return Candidate(patch=patch, origin="mine", explanation="", score=1.0)


@st.composite
def patches(draw, text):
    """Edits of ``text`` that do not overlap, some of them touching."""
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    spans = list(zip(cuts[::2], cuts[1::2], strict=False))
    return Patch(
        edits=tuple(
            SpanEdit(path="m.py", start=start, end=end, replacement=draw(st.text("xyz", max_size=4)))
            for start, end in draw(st.permutations(spans))
        )
    )


@st.composite
def pairs(draw):
    text = draw(TEXTS)
    first = draw(patches(text))
    middle = apply(first, {"m.py": text}).get("m.py", text)
    return text, first, middle, draw(patches(middle))


@given(pairs())
def test_a_change_on_top_of_another_is_one_after_the_other(pair):
    text, first, middle, second = pair
    sources, changed = {"m.py": text, "n.py": ""}, {"m.py": middle, "n.py": ""}
    both = on_top(candidate(first), candidate(second))
    assert {**sources, **apply(both.patch, sources)} == {**changed, **apply(second, changed)}


@st.composite
def alternatives(draw):
    text = draw(TEXTS)
    return text, draw(patches(text)), draw(patches(text))


@given(alternatives())
def test_a_union_does_both_or_is_refused(pair):
    text, one, other = pair
    both = union(one, other)
    if both is not None:
        middle = apply(one, {"m.py": text}).get("m.py", text)
        # Where they do not meet, the order does not matter.
        assert apply(both, {"m.py": text}) == apply(union(other, one), {"m.py": text})
        grown = sum(len(edit.replacement) - edit.end + edit.start for edit in other.edits)
        assert len(apply(both, {"m.py": text}).get("m.py", text)) == len(middle) + grown


def test_changes_of_different_files_stay_apart():
    first = Patch(edits=(SpanEdit(path="a.py", start=0, end=1, replacement="xx"),))
    second = Patch(edits=(SpanEdit(path="b.py", start=2, end=3, replacement=""),))
    sources = {"a.py": "abc", "b.py": "abc"}
    both = on_top(candidate(first), candidate(second)).patch
    assert apply(both, sources) == {"a.py": "xxbc", "b.py": "ab"}
    assert union(first, second) == Patch(edits=(*first.edits, *second.edits))


def test_each_word_of_a_line_may_turn_out_to_be_needless():
    sources = {"m.py": "x = a and 0\n"}
    first = Patch(edits=(SpanEdit(path="m.py", start=6, end=9, replacement="or"),))
    second = Patch(edits=(SpanEdit(path="m.py", start=9, end=9, replacement="not "),))
    both = on_top(candidate(first), candidate(second)).patch
    assert apply(both, sources) == {"m.py": "x = a or not 0\n"}
    assert minimised(both, sources, lambda part: "or" in apply(part, sources)["m.py"]).edits == (
        SpanEdit(path="m.py", start=0, end=12, replacement="x = a or 0\n"),
    )
