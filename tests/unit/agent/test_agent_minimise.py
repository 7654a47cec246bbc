"""The node that makes a plausible patch small."""

from agent_support import (
    FILES,
    OTHER,
    PATH,
    RIGHT,
    SOURCE,
    attempt,
    both,
    by_model,
    runtime,
    selected_and_minimised,
    state,
    swap,
    texts,
)

from bot.patch.apply import apply


def test_minimise_drops_the_edits_that_are_not_needed():
    large = attempt(by_model(both(RIGHT, OTHER)))
    update = selected_and_minimised(state(plausible=(large,)), runtime(strategy="react"))
    assert texts(update["chosen"]) == {PATH: SOURCE.replace("a - b", "a + b")}
    assert update["unshrunk"] == large.candidate.patch
    assert update["chosen"].candidate.origin == large.candidate.origin


def test_minimise_leaves_a_candidate_of_the_search_whole():
    update = selected_and_minimised(state(plausible=(attempt(both(RIGHT, OTHER)),)), runtime())
    assert update["chosen"].candidate.patch == update["unshrunk"]


def test_minimise_never_makes_a_patch_that_the_policy_refuses():
    source = SOURCE.replace("    return a - b\n", "    assert b >= 0\n    return a - b\n")
    files = {**FILES, PATH: source}
    moved = both(
        swap("    assert b >= 0\n", "", text=source),
        swap("return a - b\n", "assert b >= 0\n    return a + b\n", text=source),
    )
    run = runtime(strategy="react", files=files)
    update = selected_and_minimised(state(plausible=(attempt(by_model(moved)),)), run)
    assert "assert b >= 0" in apply(update["chosen"].candidate.patch, files)[PATH]


def test_two_changes_are_shrunk_to_what_is_needed():
    needless = both(RIGHT, OTHER, order=2, explanation="this; that")
    found = selected_and_minimised(state(plausible=(attempt(needless),)), runtime())
    assert apply(found["chosen"].candidate.patch, FILES) == apply(RIGHT.patch, FILES)
    assert found["chosen"].candidate.explanation == "part of: this; that"
    assert found["unshrunk"] == needless.patch
