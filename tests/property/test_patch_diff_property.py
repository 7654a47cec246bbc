"""The diff of a patch, applied by the real git, gives exactly the new bytes."""

import subprocess

from hypothesis import given
from hypothesis import strategies as st
from laying import lay

from bot.patch.apply import apply, from_sources
from bot.patch.diff import changed_lines, unified_diff
from bot.patch.text import decode, encode, split_lines
from examples import examples

LINE = st.text(st.sampled_from("ab \t\r\f\x0b\x1c\u2028\x85é\U0001f600\\-+@\"'\udcff"), max_size=6)
ENDED = st.builds(lambda line, end: line + end, LINE, st.sampled_from(["\n", "\n", "\r\n"]))
TEXT = st.builds(lambda lines, last: "".join(lines) + last, st.lists(ENDED, max_size=12), LINE)
NAME = st.text(st.sampled_from("ab \t\n\"'\\é.\U0001f600\x01\x7f\udcff"), min_size=1, max_size=8).filter(
    lambda name: name.strip(".") and not name.startswith(".")
)
PATH = st.lists(NAME, min_size=1, max_size=2).map(lambda parts: "p/" + "/".join(f"d{part}" for part in parts))


@st.composite
def variations(draw, text):
    """``text`` with some lines dropped, doubled or replaced: hunks with context, not total rewrites."""
    lines = []
    for line in split_lines(text):
        lines += draw(st.sampled_from([[line], [line], [line], [], [line, line], ["new\n"]]))
    return "".join(lines) + draw(st.sampled_from(["", "end", "end\n"]))


@st.composite
def changes(draw):
    paths = draw(st.lists(PATH, min_size=1, max_size=3, unique=True))
    old, new = {}, {}
    for path in paths:
        if any(other.startswith(path + "/") or path.startswith(other + "/") for other in new):
            continue
        before = draw(st.none() | TEXT)
        if before is not None:
            old[path] = before
        new[path] = draw(TEXT if before is None else st.one_of(TEXT, variations(before)))
    return old, new


@given(changes())
@examples(60)
def test_git_applies_the_diff_to_the_exact_bytes(tmp_path_factory, change):
    old, new = change
    patch = from_sources(old, new)
    diff = unified_diff(patch, old)
    root = lay(tmp_path_factory.mktemp("tree"), {path: encode(text) for path, text in old.items()})
    if diff:
        subprocess.run(["git", "apply", "-"], cwd=root, input=encode(diff), check=True, capture_output=True)
    for path, text in new.items():
        assert (root / path).read_bytes() == encode(text)


@given(changes())
@examples(60)
def test_apply_inverts_from_texts(change):
    old, new = change
    patch = from_sources(old, new)
    assert {**old, **apply(patch, old)} == {**old, **new}
    assert changed_lines(patch, old) == sum(
        line[0] in "+-" and not line.startswith(("--- ", "+++ "))
        for line in _bodies(unified_diff(patch, old))
    )


def _bodies(diff):
    inside = False
    for line in diff.split("\n"):
        if line.startswith("diff --git "):
            inside = False
        elif line.startswith("@@ "):
            inside = True
        elif inside and line:
            yield line.replace("--- ", "-x- ", 1).replace("+++ ", "+x+ ", 1)


@given(st.binary(max_size=40))
@examples(60)
def test_decoding_is_lossless(data):
    assert encode(decode(data)) == data
    assert "".join(split_lines(decode(data))) == decode(data)
