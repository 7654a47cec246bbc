"""A change in parts: together they give the old version, and the smallest guilty subset is found."""

from dataclasses import replace

from every_case import every_case
from hypothesis import given
from hypothesis import strategies as st

from bot.domain import Candidate, Patch, SpanEdit
from bot.patch.apply import apply
from bot.patch.delta_debugging import smallest
from bot.search.difference.layout import as_laid_out
from bot.search.difference.mixtures import MAX_MIXTURES, TAKES_BACK, labelled, mixtures
from bot.search.difference.pieces import finer, hunks, lines_of, neighbours, size

LINES = st.sampled_from(["a = 1\n", "b = 2\n", "if a:\n", "    c = 3\n", "# note\n", "\n", "d = 4"])
TEXTS = st.lists(LINES, max_size=12).map("".join)


def code(text):
    """Without what says nothing."""
    lines = (line.partition("#")[0].rstrip() for line in text.split("\n"))
    return [line for line in lines if line]


@given(old=TEXTS, new=TEXTS)
def test_all_parts_together_give_the_old_version(old, new):
    for parts in (
        hunks({"m.py": old}, {"m.py": new}),
        finer(hunks({"m.py": old}, {"m.py": new}), {"m.py": new}),
    ):
        restored = apply(Patch(edits=parts), {"m.py": new}).get("m.py", new) if parts else new
        assert code(restored) == code(old)


def test_a_very_large_part_is_taken_back_whole_or_not_at_all():
    head = "TABLE = [\n" + "".join(f"    ({n}, 'a'),\n" for n in range(400)) + "]\n"
    base = head.replace("'a'", "'b'")
    (whole,) = mixtures(hunks({"m.py": base}, {"m.py": head}), {"m.py": head})
    assert whole.explanation.startswith(TAKES_BACK)


def test_a_mixture_that_changes_comments_only_is_none():
    head, base = "x = 2  # two\n", "x = 1  # one\n"
    made = mixtures(hunks({"m.py": base}, {"m.py": head}), {"m.py": head})
    assert "x = 2  # one\n" not in [apply(one.patch, {"m.py": head})["m.py"] for one in made]


def test_only_files_of_both_versions_and_lines_that_say_something_are_parts():
    base = {"gone.py": "a\n", "m.py": "x = 1\n# old\ny = 2\n", "same.py": "s\n"}
    head = {"new.py": "a\n", "m.py": "x = 1\n# new\n\ny = 3\n", "same.py": "s\n"}
    (part,) = hunks(base, head)
    assert list(lines_of(part, head)) == [2, 3, 4]
    (part,) = hunks({"m.py": "# old\nx = 1\n"}, {"m.py": "# old\nx = 2\n"})
    assert (part.replacement, size([part], {"m.py": "# old\nx = 2\n"})) == ("x = 1\n", 1)
    assert hunks({"m.py": "x = 1\n# old\n"}, {"m.py": "x = 1\n\n# new\n"}) == ()


def test_a_block_of_as_many_old_lines_as_new_ones_is_cut_into_lines():
    base, head = {"m.py": "a = 1\nb = 2\nc = 3\n"}, {"m.py": "a = 7\nb = 8\nc = 9\n"}
    (block,) = hunks(base, head)
    found = finer([block], head)
    assert [(list(lines_of(one, head)), one.replacement) for one in found] == [
        ([1], "a = 1\n"),
        ([2], "b = 2\n"),
        ([3], "c = 3\n"),
    ]


def test_a_block_with_other_lines_between_is_cut_where_lines_are_alike():
    base = {"m.py": "total = price(a)\nreturn total - 1\n"}
    head = {"m.py": "total = price(a, b)\nlog.debug('priced')\nreturn total + 1\n"}
    (block,) = hunks(base, head)
    found = finer([block], head)
    assert [(list(lines_of(one, head)), one.replacement) for one in found] == [
        ([1], "total = price(a)\n"),
        ([2], ""),
        ([3], "return total - 1\n"),
    ]


def test_a_block_of_which_nothing_is_alike_stays_whole():
    base, head = {"m.py": "total = price(a)\n"}, {"m.py": "if x:\n    raise Other\n"}
    blocks = hunks(base, head)
    assert finer(blocks, head) == blocks


def test_a_line_that_was_dropped_is_a_part_before_the_next_one():
    head = {"m.py": "def f(a):\n    return a\n"}
    (part,) = hunks({"m.py": "def f(a):\n    if a is None:\n        return 0\n    return a\n"}, head)
    assert (list(lines_of(part, head)), size([part], head)) == ([2], 2)


@given(count=st.integers(1, 40), guilty=st.sets(st.integers(0, 39), min_size=1, max_size=4))
def test_the_smallest_subset_is_found_with_few_questions(count, guilty):
    wanted = {number % count for number in guilty}
    asked = []

    def has_effect(chosen):
        asked.append(tuple(chosen))
        return wanted <= set(chosen)

    found = smallest(range(count), has_effect)
    assert found.minimal
    assert set(found.parts) == wanted
    assert len(asked) == len(set(asked)), "no question is asked twice"
    assert len(asked) <= count * count + 3 * count


@given(count=st.integers(1, 12), verdicts=st.lists(st.booleans(), min_size=1, max_size=200))
def test_without_any_one_part_of_a_minimal_subset_the_effect_is_gone(count, verdicts):
    """Whatever the answers are: subsets of a change need not parse, and effects need not add up."""
    answers = {}

    def has_effect(chosen):
        key = tuple(chosen)
        if len(key) == count:
            return True
        return answers.setdefault(key, verdicts[len(answers) % len(verdicts)])

    found = smallest(range(count), has_effect)
    assert found.minimal
    for part in found.parts if len(found.parts) > 1 else ():
        assert answers[tuple(one for one in found.parts if one != part)] is False


def test_what_is_known_when_no_more_may_be_asked_is_given():
    answers = iter([True, None])
    found = smallest(range(8), lambda _chosen: next(answers))
    assert (found.parts, found.minimal) == ((0, 1, 2, 3), False)


OLD = "    if limit is not None and total >= limit:\n"
NEW = "    if limit is None and total > bound:\n"
HEAD = {"m.py": f"def f(limit, total, bound):\n{NEW}        return 1\n"}


def restored(candidate, head=HEAD):
    return apply(candidate.patch, head)["m.py"]


def test_mixtures_take_over_tokens_then_more_of_them_and_the_whole_last():
    edit = SpanEdit(
        path="m.py", start=HEAD["m.py"].index(NEW), end=HEAD["m.py"].index("        ret"), replacement=OLD
    )
    found = mixtures([edit], HEAD)
    lines = [restored(one).split("\n")[1].strip() for one in found]
    assert "if limit is not None and total > bound:" in lines
    assert "if limit is None and total >= bound:" in lines
    assert "if limit is not None and total >= bound:" in lines
    assert lines[-1] == OLD.strip()
    assert found[-1].explanation.startswith("take back this part of the change: `if limit is None")
    assert len({one.patch for one in found}) == len(found)


def test_of_several_parts_each_is_mixed_and_the_others_are_taken_back():
    head = {"m.py": "def f(a, b):\n    x = a - b\n    y = a * b\n    return x + y\n"}
    base = {"m.py": "def f(a, b):\n    x = a + b\n    y = a / b\n    return x + y\n"}
    found = [restored(one, head) for one in mixtures(finer(hunks(base, head), head), head)]
    assert base["m.py"] in found
    assert head["m.py"].replace("a - b", "a + b").replace("a * b", "a / b") in found


def test_there_are_not_too_many():
    new, old = (" + ".join(f"{name}{n}" for n in range(60)) for name in "xy")
    head = {"m.py": f"total = {new}\n"}
    found = mixtures(hunks({"m.py": f"total = {old}\n"}, head), head)
    assert len(found) <= MAX_MIXTURES + 1
    assert restored(found[-1], head) == f"total = {old}\n"


@every_case("old", ["", "    pass\n", "x = (\n"])
def test_what_does_not_parse_is_no_mixture(old):
    head = {"m.py": "def f():\n    return 1\n"}
    start = head["m.py"].index("    return")
    edit = SpanEdit(path="m.py", start=start, end=len(head["m.py"]), replacement=old)
    assert [restored(one, head) for one in mixtures([edit], head)] == (
        ["def f():\n    pass\n"] if "pass" in old else []
    )


@every_case(
    ("old", "new", "is_back"),
    [("a + b", "a - b", True), ("a + b", "(a  -  b)", True), ("a + b", "b - a", False), ("f(", "g(", False)],
)
def test_a_patch_that_does_the_same_as_taking_the_change_back_says_so(old, new, is_back):
    head, base = {"m.py": "def f(a, b):\n    return a + b\n"}, {"m.py": "def f(a, b):\n    return a - b\n"}
    start = head["m.py"].index(old)
    edit = SpanEdit(path="m.py", start=start, end=start + len(old), replacement=new)
    candidate = Candidate(patch=Patch(edits=(edit,)), origin="swap", explanation="swap it")
    expected = f"swap it: {TAKES_BACK}" if is_back else "swap it"
    assert labelled(candidate, hunks(base, head), head) == expected


def test_no_mixture_leaves_code_that_is_never_reached():
    head = {"m.py": "try:\n    a()\nexcept A:\n    raise\nexcept B:\n    raise C\n"}
    base = {"m.py": "try:\n    a()\nexcept A:\n    raise\n    raise C\n"}
    assert mixtures(hunks(base, head), head) == ()


def test_the_lines_of_code_beside_a_lost_line():
    head = {"m.py": "a = 1\n# why\n\n\nb = 2\n"}
    (part,) = hunks({"m.py": "a = 1\n# why\n\nlost = 0\n\nb = 2\n"}, head)
    assert (neighbours(part, head), neighbours(replace(part, end=len(head["m.py"])), head)) == ([1, 5], [1])


def test_what_is_taken_back_has_the_old_layout_where_that_is_the_same_code():
    base = {"m.py": "if a:\n    b()\n    if c:\n        raise d\n"}
    head = {"m.py": "if a:\n    if e:\n        b()\n        if c:\n            raise d\n"}
    (whole,) = hunks(base, head)
    part = replace(whole, end=head["m.py"].index("            raise"), replacement="    b()\n    if c:\n")
    assert as_laid_out([part], base, head) == (whole,)
    assert as_laid_out([part], {"m.py": base["m.py"].replace("raise d", "raise f")}, head) == (part,)
    assert as_laid_out([part], {}, head) == (part,)
    (back,) = [one for one in mixtures([part], head, back=[whole]) if TAKES_BACK in one.explanation]
    assert back.patch.edits == (whole,)


def test_of_a_block_that_is_much_larger_only_the_part_is_taken_back():
    base = {"m.py": "".join(f"a{n} = [{n}]\n" for n in range(9))}
    head = {"m.py": "".join(f"a{n} = [ {n} ]\n" for n in range(8)) + "a8 = [9]\n"}
    part = hunks({"m.py": head["m.py"].replace("[9]", "[8]")}, head)
    assert as_laid_out(part, base, head) == part
