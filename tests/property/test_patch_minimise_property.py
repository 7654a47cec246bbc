"""What minimisation leaves over passes, and no line of it can go."""

from hypothesis import example, given
from hypothesis import strategies as st

from bot.patch.apply import apply, from_sources
from bot.patch.minimise import minimised
from bot.patch.syntax import parsed
from examples import examples

LINES = st.lists(
    st.sampled_from(["a = 1", "b = 2", "c = 3", "if a:", "    d = 4", "e = [", "]"]), max_size=10
)


def without_one(patch):
    """Each way to leave one edit out of the patch."""
    for position in range(len(patch.edits)):
        yield (*patch.edits[:position], *patch.edits[position + 1 :])


# Once found: the canonical diff of what passed had an edit that could be left out.
@example(["a = 1", "if a:", "a = 1"], ["if a:", "c = 3", "a = 1", "b = 2", "c = 3"], {0, 1, 2, 3}, 0)
@given(LINES, LINES, st.sets(st.integers(0, 9)), st.integers(0, 3))
@examples(100)
def test_the_result_passes_and_is_one_minimal(old_lines, new_lines, needed, extra):
    old = {"a.py": "".join(f"{line}\n" for line in old_lines), "b.txt": "x\n"}
    new = {"a.py": "".join(f"{line}\n" for line in new_lines), "b.txt": "y\n" * extra}
    patch = from_sources(old, new)
    wanted = {new_lines[index] for index in needed if index < len(new_lines)}

    def passes(candidate):
        texts = {**old, **apply(candidate, old)}
        return wanted <= set(texts["a.py"].split("\n"))

    asked = []

    def counted(candidate):
        asked.append(candidate)
        return passes(candidate)

    result = minimised(patch, old, counted, max_checks=10_000)
    assert result == minimised(patch, old, passes, max_checks=10_000)
    assert len(asked) == len(set(asked))
    assert result == patch or result in asked
    assert passes(result)
    if parsed(new["a.py"]) is not None:
        assert all(
            parsed({**old, **apply(candidate, old)}["a.py"])
            for candidate in asked
            if "a.py" in candidate.paths
        )
    for edits in without_one(result):
        smaller = type(result)(edits=edits)
        text = {**old, **apply(smaller, old)}["a.py"]
        broken = parsed(text) is None and parsed(new["a.py"]) is not None and "a.py" in smaller.paths
        assert not edits or broken or not passes(smaller)


@given(LINES, LINES, st.integers(0, 5))
@examples(40)
def test_the_budget_holds(old_lines, new_lines, budget):
    old, new = {"a.py": "\n".join(old_lines)}, {"a.py": "\n".join(new_lines)}
    asked = []
    minimised(from_sources(old, new), old, lambda candidate: bool(asked.append(candidate)), max_checks=budget)
    assert len(asked) <= budget
