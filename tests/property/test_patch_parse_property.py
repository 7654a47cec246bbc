"""Whatever a model answers, reading it ends in a patch or in a PatchError."""

import json

import pytest
from every_case import every_case
from hypothesis import assume, example, given
from hypothesis import strategies as st

from bot.errors import PatchError
from bot.patch.apply import apply, from_sources
from bot.patch.diff import unified_diff
from bot.patch.replies.parse import parse_reply
from examples import examples

SOURCES = {
    "pkg/a.py": "import os\n\n\ndef f(x):\n    return x - 1\n\n\nclass C:\n    def g(self):\n        pass\n",
    "b.py": "def f(x):\r\n    return 1\r\n",
    "empty.py": "",
    "odd.py": "x = '\udcff'\x0c\r1",
}
# What replies are made of: whole lines, words, and what is odd.
REPLY_LINES = r"""
```python
~~~
--- a/pkg/a.py
+++ b/pkg/a.py
+++ /dev/null
@@ -1,2 +1,2 @@
@@
-import os
+x
diff --git a/b.py b/b.py
new file mode 100644
rename to q
--- "a/\377"
\ No newline
<<<<<<< SEARCH
=======
>>>>>>> REPLACE
pkg/a.py
    return x - 1
empty.py
class C:
    def g(self): pass
import math
Binary files a and b differ
"""
WORDS = r"""
{ } [ ] " , : \ 999999999999 "edits" "op" "path" "start" "replace"
"explanation" null ``` <think> </think>
"""
ODD = ("\n", " ", "\r", "\x00", "\ud800", "\udcff", "\u2028", "def f(x):\n    return 3\n")
TOKENS = st.sampled_from([*REPLY_LINES.splitlines(keepends=True)[1:], *WORDS.split(), *ODD])
REPLY = st.one_of(st.text(max_size=80), st.lists(TOKENS, max_size=25).map("".join))
VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(sorted(SOURCES)),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=5,
)
EDIT = st.fixed_dictionaries(
    {
        "op": st.sampled_from(["replace", "insert", "delete", "substitute"]),
        "path": st.sampled_from([*SOURCES, "n.py"]),
    },
    optional={
        "start": VALUE | st.integers(-1, 5),
        "end": VALUE | st.integers(-1, 5),
        "after": st.integers(-1, 5),
        "lines": st.lists(st.text(max_size=5), max_size=2) | VALUE,
        "find": st.text(max_size=4) | st.sampled_from(["return", "import os ", "\n"]),
        "replace": st.text(max_size=4),
    },
)


@given(REPLY | st.lists(EDIT, max_size=3).map(lambda edits: json.dumps({"explanation": "", "edits": edits})))
@examples(300)
def test_no_reply_raises_anything_but_patch_error(reply):
    try:
        parsed = parse_reply(reply, SOURCES)
    except PatchError as error:
        problem = str(error)
        assert problem, "an empty message teaches nothing"
        assert "\n" not in problem
    else:
        texts = apply(parsed.patch, SOURCES)
        assert texts
        assert all(SOURCES.get(path) != text for path, text in texts.items())


BODY = st.lists(st.sampled_from(["", "a", "  b", "-- c", "++ d", "@@ e", "```", "é\x0c\u2028"]), max_size=10)


@given(BODY, BODY, st.booleans(), st.sampled_from(["\n", "\r\n"]))
@example(["a"], ["", "", ""], False, "\n")
@examples(100)
def test_a_diff_of_ours_reads_back(old_lines, new_lines, ended, newline):
    def text(lines):
        # the first line shows the file's newline style
        return newline.join(["top", *lines, ""] if ended else ["top", *lines])

    old, new = {"pkg/x y.py": text(old_lines)}, {"pkg/x y.py": text(new_lines)}
    patch = from_sources(old, new)
    assume(patch.edits and (ended or old_lines))
    parsed = parse_reply(unified_diff(patch, old), old)
    assert parsed.shape == "diff"
    assert {**old, **apply(parsed.patch, old)} == new


@every_case("opening", ["{", "[", '{"a":', "[{", "(", '{"edits":['])
def test_deep_nesting_is_a_patch_error(opening):
    with pytest.raises(PatchError):
        parse_reply(opening * 100_000, SOURCES)
    with pytest.raises(PatchError):
        parse_reply(f"```python\nx = {opening * 5000}\n```", SOURCES)
