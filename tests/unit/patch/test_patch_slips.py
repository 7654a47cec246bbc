"""Replies with something beside the patch or around it: what is meant is taken, and nothing else."""

import json

import pytest
from every_case import every_case

from bot.errors import PatchError
from bot.patch.apply import apply
from bot.patch.replies import lenient_json
from bot.patch.replies.parse import parse_reply

FEE = "def fee(items):\n    return sum(items)\n"
CART = f"def total(items):\n    count = len(items)\n    return sum(items)\n\n\n{FEE}"
ONE = {"cart.py": CART}
EDIT = {"op": "replace", "path": "cart.py", "start": 3, "end": 3, "lines": ["    return sum(items) + 1"]}
FIXED = {"cart.py": CART.replace("sum(items)\n\n", "sum(items) + 1\n\n", 1)}


def read(reply, sources):
    return apply(parse_reply(reply, sources).patch, sources)


def test_a_wrapper_is_taken_off_behind_a_text_full_of_brackets():
    reply = (
        f"Of a[i], b[i], c[i], d[i] one is read.\n```json\n{json.dumps({'answer': {'edits': [EDIT]}})}\n```"
    )
    assert read(reply, ONE) == FIXED


def test_edits_under_another_name_keep_their_explanation_and_other_json_is_none():
    found = parse_reply(json.dumps({"explanation": "one more", "changes": [EDIT]}), ONE)
    assert (found.explanation, apply(found.patch, ONE)) == ("one more", FIXED)
    with pytest.raises(PatchError, match="holds no patch"):
        parse_reply('{"explanation": "", "patch": "none"}', ONE)


@every_case(
    ("text", "value"),
    [
        ('{"find": "a,\n  "replace": "b"}', {"find": "a", "replace": "b"}),
        (
            '{"find": "a\nb = {"path": 1}\nc", "replace": ""}',
            {"find": 'a\nb = {"path": 1}\nc', "replace": ""},
        ),
    ],
)
def test_a_field_on_a_line_of_its_own_ends_a_text_and_one_within_a_line_does_not(text, value):
    assert lenient_json.loads(text) == value


def test_the_comment_on_top_says_which_file_is_meant():
    sources = {"a/cart.py": CART, "b/cart.py": CART}
    reply = "```python\n# b/cart.py\ndef fee(items):\n    return 2\n```"
    assert read(reply, sources) == {"b/cart.py": CART.removesuffix("sum(items)\n") + "2\n"}


def test_a_snippet_without_a_place_does_not_hide_the_answer_behind_it():
    reply = "```python\ndef example():\n    return 0\n```\n```python\ndef fee(items):\n    return 0\n```"
    assert read(reply, ONE) == {"cart.py": CART.removesuffix("sum(items)\n") + "0\n"}


def test_an_import_comes_along_only_where_its_name_is_not_bound():
    old = "import os, sys\n\n\ndef place():\n    return sys.path\n"
    reply = "```python\nimport os\nimport re\n\ndef place():\n    return re.escape(os.sep)\n```"
    new = old.replace("sys.path", "re.escape(os.sep)")
    assert read(reply, {"a.py": old}) == {"a.py": f"import re\n{new}"}


@every_case(
    ("start", "line", "meant"),
    [(5, "def total(items, more):", "def total(items):"), (2, "def fee(items, more):", "def fee(items):")],
)
def test_a_line_is_found_again_up_to_the_first_of_the_file_and_a_few_further_on(start, line, meant):
    edit = {**EDIT, "start": start, "end": start, "lines": [line]}
    assert read(json.dumps({"edits": [edit]}), ONE) == {"cart.py": CART.replace(meant, line)}


def test_a_range_of_lines_is_not_put_elsewhere():
    old = "@cached\ndef fee(items):\n    return sum(items)\n"
    edit = {**EDIT, "start": 1, "end": 2}
    assert read(json.dumps({"edits": [edit]}), {"cart.py": old}) == {
        "cart.py": "    return sum(items) + 1\n    return sum(items)\n"
    }


def test_context_that_is_wrong_on_both_sides_leaves_the_removed_line():
    hunk = "@@ -1,3 +1,3 @@\n # one\n-    count = len(items)\n+    count = 0\n # two\n"
    assert read(f"```diff\n--- a/cart.py\n+++ b/cart.py\n{hunk}```", ONE) == {
        "cart.py": CART.replace("len(items)", "0")
    }


@every_case(
    ("path", "quoted"),
    [
        ("é x.py", r"\303\251 x.py"),
        ('q"\\.py', r"q\"\\.py"),
        ("tab\t.py", r"tab\t.py"),
        ("\udcff.py", r"\377.py"),
    ],
)
def test_a_name_that_git_quotes_is_the_files(path, quoted):
    reply = f'```diff\n--- "a/{quoted}"\n+++ "b/{quoted}"\n@@ -1 +1 @@\n-one\n+two\n```\n'
    assert read(reply, {path: "one\n", "other.py": "one\n"}) == {path: "two\n"}


@every_case(
    ("hunk", "fixed"),
    [
        ("@@ -2 +2 @@\n-\n+c\n", "a\nc\nb\n\n"),  # of two empty lines the one that is named
        ("@@ -4 +4 @@\n-\n+c\n", "a\n\nb\nc\n"),
    ],
)
def test_an_empty_line_is_the_one_that_is_named(hunk, fixed):
    reply = f"```diff\n--- a/x.py\n+++ b/x.py\n{hunk}```\n"
    assert read(reply, {"x.py": "a\n\nb\n\n"}) == {"x.py": fixed}


@every_case(
    ("diff", "said"),
    [
        ("--- a/x.py\n+++ b/x.py\n@@ -9 +9 @@\n-\n+c\n", "its place is not clear"),
        ('--- "a/x.py"\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n', "the diff deletes 'a/x.py'"),
        ("--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,3 @@\n wrong\n+c\n wrong too\n", "no line 'wrong'"),
        ("@@ -1 +1 @@\n-\n+c\n", "names no file: begin it with --- a/path"),
    ],
)
def test_a_diff_without_a_place_is_refused_with_what_is_wrong(diff, said):
    with pytest.raises(PatchError, match=said):
        read(f"```diff\n{diff}```\n", {"x.py": "a\n\nb\n\n", "y.py": "\n"})


PAIR = {"a.py": "def a():\n    return 1\ndef b():\n    return 2\n"}
TWO = {**PAIR, "b.py": "x = 1\ny = 2\n"}
WITHOUT_PATH = '{"edits": [{"op": "replace", "start": 2, "end": 2, "lines": ["    return 5"]}]}'


def test_without_a_path_the_only_file_is_meant_and_of_two_none():
    assert read(WITHOUT_PATH, PAIR) == {"a.py": PAIR["a.py"].replace("1", "5")}
    for sources in (TWO, dict(reversed(TWO.items()))):
        with pytest.raises(PatchError, match="path: Field required"):
            read(WITHOUT_PATH, sources)


def test_a_diff_without_a_header_is_about_the_only_file_even_misquoted():
    diff = "@@ -1,4 +1,4 @@\n def a():\n-    return one\n+    return 7\n def b():\n     return 2\n"
    assert read(f"```diff\n{diff}```", PAIR) == {"a.py": PAIR["a.py"].replace("1", "7")}
    with pytest.raises(PatchError, match="names no file"):
        read(f"```diff\n{diff}```", {**TWO, "c.py": PAIR["a.py"]})


@every_case("names", ["ab", "ba"])
def test_functions_without_a_blank_line_between_are_two_places(names):
    reply = "".join(f"```python\ndef {name}():\n    return 9\n```\n" for name in names)
    assert read(reply, PAIR) == {"a.py": "def a():\n    return 9\ndef b():\n    return 9\n"}


def test_code_without_a_fence_ends_where_prose_begins():
    reply = "def a():\n    return 3\nThis works, as does\n    return 4\n"
    assert read(reply, PAIR) == {"a.py": PAIR["a.py"].replace("1", "3")}


@every_case("name", ["area", "side"])
def test_a_method_copied_but_for_its_first_blanks_moves_its_first_line_alone(name):
    shape = "class Square:\n    def area(self):\n        return 0\n\n    def side(self):\n        return 0\n"
    reply = f"```python\ndef {name}(self):\n        return self.a\n```"
    head, method, rest = shape.partition(f"    def {name}(self):\n")
    assert read(reply, {"s.py": shape}) == {"s.py": head + method + rest.replace("0", "self.a", 1)}
