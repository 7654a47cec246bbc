"""Two changes as one patch: the same text as one after the other."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from bot.domain import Patch, SpanEdit
from bot.patch.apply import apply
from bot.search.composition import compose, union

TEXTS = st.text("ab\n", max_size=30)


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
def test_a_composed_patch_is_one_after_the_other(pair):
    text, first, middle, second = pair
    expected = apply(second, {"m.py": middle}).get("m.py", middle)
    composed = compose(first, second)
    assert apply(composed, {"m.py": text}).get("m.py", text) == expected
    # Nothing touches: what belongs together is one edit.
    ordered = sorted(composed.edits, key=lambda edit: edit.start)
    assert all(one.end < other.start for one, other in pairwise(ordered))


@st.composite
def alternatives(draw):
    text = draw(TEXTS)
    return text, draw(patches(text)), draw(patches(text))


@given(alternatives())
def test_a_union_does_both_or_is_refused(pair):
    text, one, other = pair
    both = union(one, other, {"m.py": text})
    if both is not None:
        middle = apply(one, {"m.py": text}).get("m.py", text)
        # Where they do not meet, the order does not matter.
        assert apply(both, {"m.py": text}) == apply(union(other, one, {"m.py": text}), {"m.py": text})
        grown = sum(len(edit.replacement) - edit.end + edit.start for edit in other.edits)
        assert len(apply(both, {"m.py": text}).get("m.py", text)) == len(middle) + grown


def test_changes_of_different_files_stay_apart():
    first = Patch(edits=(SpanEdit(path="a.py", start=0, end=1, replacement="xx"),))
    second = Patch(edits=(SpanEdit(path="b.py", start=2, end=3, replacement=""),))
    assert set(compose(first, second).edits) == {*first.edits, *second.edits}
    assert union(first, second, {"a.py": "abc", "b.py": "abc"}) == Patch(edits=(*first.edits, *second.edits))


def test_one_statement_changed_twice_is_one_edit():
    text = "return a - b\n"
    first = Patch(edits=(SpanEdit(path="m.py", start=9, end=10, replacement="+"),))
    second = Patch(edits=(SpanEdit(path="m.py", start=7, end=12, replacement="2 * (a + b)"),))
    composed = compose(first, second)
    assert apply(composed, {"m.py": text}) == {"m.py": "return 2 * (a + b)\n"}
    assert len(composed.edits) == 1
