"""Reading a reply takes no time that hurts, and JSON that is well means what it says."""

import json
from contextlib import suppress

from cost import cost
from every_case import every_case
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.errors import PatchError
from bot.patch.apply import apply, from_sources
from bot.patch.replies import lenient_json
from bot.patch.replies.match import fitted, locate
from bot.patch.replies.parse import MAX_REPLY_CHARACTERS, parse_reply
from bot.patch.text import NumberedSource
from examples import examples

SOURCES = {
    "shop/a.py": "def f(x):\n    y = x - 1\n    return y\n\n\ndef g(x):\n    return 'a' + x\n",
    "big.py": "x = 1\n" * 3_000,
}
LINE = st.sampled_from(["def f(x):", "    y = x + 1", "        z = 2", "    return y", "", "    return x"])


def as_json(texts):
    """The change to ``texts`` in the JSON of the schema."""
    edits = []
    for path, text in texts.items():
        count = SOURCES[path].count("\n")
        lines = text.removesuffix("\n").split("\n")
        edits.append({"op": "replace", "path": path, "start": 1, "end": count, "lines": lines})
    return json.dumps({"explanation": "", "edits": edits})


@given(st.lists(LINE, min_size=1, max_size=8))
@examples(60)
def test_reading_what_was_read_changes_nothing(lines):
    text = "\n".join(lines) + "\n"
    assume(text != SOURCES["shop/a.py"])
    first = apply(parse_reply(as_json({"shop/a.py": text}), SOURCES).patch, SOURCES)
    again = parse_reply(as_json(first), SOURCES)
    assert apply(again.patch, SOURCES) == first
    assert again.patch == from_sources(SOURCES, first)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
).filter(lambda value: isinstance(value, list | dict))


@given(VALUES, st.integers(0, 4))
@examples(150)
def test_json_that_is_well_is_read_as_json(value, indent):
    text = json.dumps(value, indent=indent or None)
    assert lenient_json.loads(text) == value


@given(st.text(alphabet="{}[]\"':,\\ \n/*#`ab1", max_size=60))
@examples(200)
def test_no_text_is_more_than_unreadable_to_the_lenient_reader(text):
    for start in ("{", "["):
        try:
            value = lenient_json.loads(start + text)
        except ValueError:
            continue
        assert isinstance(value, dict | list)


@given(st.integers(0, 4), st.integers(0, 3), st.sampled_from(["", "  ", "\t"]))
@examples(40)
def test_lines_quoted_at_another_indentation_are_put_back_at_their_own(start, count, extra):
    source = NumberedSource("a.py", SOURCES["shop/a.py"])
    bare = source.bare_lines()[start : start + count + 1]
    assume(any(line.strip() for line in bare))
    quoted = [extra + line.strip() for line in bare]
    place = locate(source, quoted)
    assert fitted(quoted, place, source) == source.bare_lines()[place.start : place.end]


def filled(unit):
    return (unit * (MAX_REPLY_CHARACTERS // len(unit) + 1))[:MAX_REPLY_CHARACTERS]


# What a reply can be full of.
UNITS = (
    *("{", '{"a', "[/*", "\n", "<<<<<<< SEARCH\n", "a.py\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"),
    *("@@\n-x\n", "--- a\n+++ b\n", "```\n", "```python\ndef f(x):\n    pass\n```\n", "def f(x): pass\n"),
    *("change `x = 1` ", "line 7 should be\n", "1| x\n", "*** Update File: a.py\n-x\n"),
)
REPLIES = [
    *map(filled, UNITS),
    "x" * 5_000_000,
    '{"edits": "' + filled('" ')[20:],
    "--- big.py\n+++ big.py\n@@ -1 +1 @@\n" + filled(" x = 1\n")[99:],
]


@every_case("reply", REPLIES)
def test_hostile_replies_are_read_in_no_time(reply):
    def read():
        with suppress(PatchError):
            parse_reply(reply, SOURCES, shown=["shop/a.py"])

    # a multiple of what it takes; what grows with the square takes minutes
    assert cost(read) < 500
