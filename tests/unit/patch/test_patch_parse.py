"""The ladder of reply shapes, rung by rung."""

import json

import pytest
from every_case import every_case

from bot.errors import PatchError
from bot.patch.apply import apply
from bot.patch.replies.parse import MAX_REPLY_CHARACTERS, parse_reply

CART = "import os\n\n\ndef total(items):\n    s = 0\n    for i in items:\n        s -= i\n    return s\n"
SHAPE = (
    "class Square:\n    def __init__(self, a):\n        self.a = a\n\n"
    "    @property\n    def area(self):\n        return self.a\n\n    def __repr__(self):\n        pass\n"
)
SOURCES = {"shop/cart.py": CART, "shapes.py": SHAPE, "crlf.py": "a = 1\r\nb = 2\r\n", "empty.py": ""}
FIXED = {"shop/cart.py": CART.replace("-=", "+=")}
EDIT = {"op": "replace", "path": "shop/cart.py", "start": 7, "end": 7, "lines": ["        s += i"]}
JSON = json.dumps({"explanation": "sums {up}", "edits": [EDIT]})
LOOSE = {key: value for key, value in EDIT.items() if key != "op"}


def read(reply, sources=SOURCES):
    parsed = parse_reply(reply, sources)
    return parsed, apply(parsed.patch, sources)


def problem(reply, sources=SOURCES):
    with pytest.raises(PatchError) as caught:
        parse_reply(reply, sources)
    return str(caught.value)


JSON_REPLIES = [
    *(JSON, f"\n {JSON}\n", f"```json\n{JSON}\n```", f"```\n{JSON}", f"Here you are: {JSON} Good luck!"),
    *(f"A set {{a, b}} and an open {{ brace.\n{JSON}", f'<think>{{"edits": []}} no</think>\n{JSON}'),
    *(
        JSON.replace("}]", ",}, ]").replace("]}", "],}"),
        json.dumps([EDIT]),
        json.dumps(EDIT),
        json.dumps(LOOSE),
    ),
    *(
        json.dumps({"edits": EDIT}),
        json.dumps({"edits": [{**EDIT, "lines": EDIT["lines"][0], "find": None}]}),
    ),
    json.dumps({"explanation": None, "edits": [{**EDIT, "path": "./shop/cart.py"}]}),
    'Note [1] and ["x"]: ' + JSON.replace("sums", "sums\nraw newline"),
]


def test_the_explanation_is_kept_and_can_be_encoded():
    assert read(JSON)[0].explanation == "sums {up}"
    assert read(JSON.replace("sums", "\\ud800"))[0].explanation == "? {up}"


NO_PATCHES = [
    ('{"edits": []}', "the patch changes nothing"),
    ('{"edits": 3}', "does not follow the schema"),
    ('{"edits": [{"op": "fly", "path": "a"}]}', "does not follow the schema: edits.0"),
    ('{"edits": [], "more": 1}', "list of edits is empty"),
    (JSON.replace("shop/cart.py", "shop/card.py"), "unknown path"),
    (JSON.replace("s += i", "s -= i"), "the patch changes nothing"),
    (json.dumps({"edits": [{**EDIT, "lines": ["\ud800"]}]}), "not valid Unicode"),
    (
        json.dumps({"edits": [{"op": "insert", "path": "n\ud800.py", "after": 0, "lines": []}]}),
        "not valid Unicode",
    ),
    ('{"edits": [{"op": "\\ud800\\n"}]}', "does not follow the schema"),
    ("", "the reply holds no patch"),
    ("I think the bug is in total().", "the reply holds no patch"),
    ('{"a": 1}', "the reply holds no patch"),
    ("x" * (MAX_REPLY_CHARACTERS + 1), "too long"),
    ("```python\nthis is no python\n```", "the reply holds no patch"),
]


HUNK = (
    " def total(items):\n     s = 0\n     for i in items:\n-        s -= i\n+        s += i\n     return s\n"
)
HEADER = "--- a/shop/cart.py\n+++ b/shop/cart.py\n"


DIFFS = [
    f"diff --git a/shop/cart.py b/shop/cart.py\nindex 1..2 100644\n{HEADER}@@ -4,5 +4,5 @@ def x\n{HUNK}",
    f"Fix:\n```diff\n{HEADER}@@ -4,5 +4,5 @@\n{HUNK}```\nDone.",
    f"{HEADER}@@ -1,99 +1,2 @@\n{HUNK}",
    f"{HEADER}@@ -999999999999999,5 +4,5 @@\n{HUNK}",
    f"{HEADER}@@ ... @@\n{HUNK}\n\nThis adds.",
    f"{HEADER}@@\n-        s -= i\n+        s += i\n",
    HEADER.replace("a/", "").replace("b/", "") + f"@@ -4,5 +4,5 @@\n{HUNK}",
    f"diff --git a/shop/cart.py b/shop/cart.py\n@@ -4,5 +4,5 @@\n{HUNK}",
    (HEADER + "@@ -4,5 +4,5 @@\n" + HUNK).replace("\n", "\r\n"),
    HEADER + "@@ -1,5 +1,5 @@\n import os\n\n\n" + HUNK.replace("s = 0\n", "s = 0   \n"),
]


def test_a_diff_may_touch_several_hunks_and_files_and_create():
    reply = (
        f"{HEADER}@@ -1,1 +1,2 @@\n import os\n+import re\n@@ -4,5 +5,5 @@\n{HUNK}"
        "--- a/crlf.py\n+++ b/crlf.py\n@@ -1,2 +1,2 @@\n a = 1\n-b = 2\n+b = 3\n"
        "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1,2 @@\n+x = 1\n+y = 2\n"
        "diff --git a/none.py b/none.py\nnew file mode 100644\n"
    )
    assert read(reply)[1] == {
        "shop/cart.py": FIXED["shop/cart.py"].replace("os\n", "os\nimport re\n"),
        "crlf.py": "a = 1\r\nb = 3\r\n",
        "new.py": "x = 1\ny = 2\n",
        "none.py": "",
    }


def test_the_stated_line_decides_between_equal_places():
    sources = {"a.py": "x\n" * 100}
    reply = "--- a/a.py\n+++ b/a.py\n@@ -{},1 +1,1 @@\n-x\n+y\n"
    assert read(reply.format(50), sources)[1] == {"a.py": "x\n" * 49 + "y\n" + "x\n" * 50}
    assert "fits 100 places" in problem(reply.format(200), sources)


NO_DIFFS = [
    (f"{HEADER}@@ -1,1 +1,1 @@\n-nothing\n+x\n", "does not occur in 'shop/cart.py'"),
    ("--- a/no.py\n+++ b/no.py\n@@ -1,1 +1,1 @@\n-a\n+b\n", "unknown path 'no.py'"),
    ("--- a/crlf.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a = 1\n-b = 2\n", "deletes"),
    ("diff --git a/crlf.py b/c.py\nrename from crlf.py\nrename to c.py\n", "renames"),
    (f"{HEADER}@@ ... @@\n+x\n", "its place is not clear"),
    (f"{HEADER}@@ -4,5 +4,5 @@\n{HUNK.replace('+=', '-=')}", "changes nothing"),
]


BLOCK = "<<<<<<< SEARCH\n        s -= i\n=======\n        s += i\n>>>>>>> REPLACE\n"


BLOCKS = [
    f"shop/cart.py\n{BLOCK}",
    f"shop/cart.py\n```python\n{BLOCK}```\n",
    f"```python\nshop/cart.py\n{BLOCK}```\n",
    f"### `shop/cart.py`:\n\n{BLOCK}",
    f"In shop/cart.py, add:\n{BLOCK}",
    f"The fix:\n{BLOCK}",
    f"totals.py\n{BLOCK}",
    BLOCK.replace("-= i", "-= i  ").replace("\n", "\r\n"),
]


def test_blocks_may_share_a_path_delete_and_create():
    reply = (
        f"shop/cart.py\n{BLOCK}\n<<<<<<< SEARCH\nimport os\n=======\n>>>>>>> REPLACE\n"
        "new.py\n<<<<<<< SEARCH\n=======\nx = 1\n>>>>>>> REPLACE\n"
    )
    assert read(reply)[1] == {
        "shop/cart.py": FIXED["shop/cart.py"].removeprefix("import os\n"),
        "new.py": "x = 1\n",
    }


NO_BLOCKS = [
    (BLOCK.replace("s -= i", "nope"), "occurs in 0 files"),
    (f"shop/cart.py\n{BLOCK.replace('s -= i', 'nope')}", "does not occur"),
    (BLOCK.replace(">>>>>>> REPLACE", ""), "not closed"),
    ("shop/cart.py\n<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE", "is not"),
    ("<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE", "needs a path"),
]


FUNCTION = CART.partition("\n\n\n")[2].replace("-=", "+=")


CODE = [
    f"```python\n{FUNCTION}```",
    f"```\n{FUNCTION}",
    f"Before:\n```python\n{FUNCTION.replace('+=', '-=')}```\nAfter:\n```python\n{FUNCTION}```",
    f"```python\nimport os\n{FUNCTION}\nprint(total([1]))\nassert total([1]) == 1\n```",
    f"`shop/cart.py`\n```python\n{FIXED['shop/cart.py']}```",
    f"```python shop/cart.py\n{FUNCTION}```",
    f"Run:\n```sh\npytest\n```\nThen\n~~~py\n{FUNCTION}~~~",
    "".join(f"    {line}" for line in f"```python\n{FUNCTION}```".splitlines(keepends=True)),
]


def test_a_whole_file_replaces_the_only_source():
    sources = {"main.py": "A = 1\n\n\ndef f():\n    return A\n"}
    new = "A = 2\n\n\ndef f():\n    return A\n\n\ndef g():\n    return 3\n"
    assert read(f"```python\n{new}```", sources)[1] == {"main.py": new}


def test_a_file_that_does_not_parse_is_replaced_only_by_one_with_all_its_definitions():
    sources = {"main.py": "def f(:\n    return 1\n\n\ndef g():\n    return 2\n"}
    new = "def f():\n    return 1\n\n\ndef g():\n    return 2\n"
    assert read(f"```python\n{new}```", sources)[1] == {"main.py": new}
    assert problem("```python\ndef f():\n    return 1\n```", sources)


def test_a_method_moves_to_its_level_and_keeps_its_decorators():
    body = 'def area(self):\n    """The\n    area."""\n    text = """a\nb\n  c"""\n    return self.a**2\n'
    expected = SHAPE.replace(
        "    def area(self):\n        return self.a\n",
        '    def area(self):\n        """The\n        area."""\n        text = """a\nb\n  c"""\n'
        "        return self.a**2\n",
    )
    assert read(f"```python\n{body}```")[1] == {"shapes.py": expected}


def test_a_class_that_shows_only_some_methods_keeps_the_others():
    body = "class Square:\n    def area(self):\n        return self.a**2\n"
    assert read(f"```python\n{body}```")[1] == {
        "shapes.py": SHAPE.replace("return self.a\n", "return self.a**2\n")
    }


def test_new_helpers_and_imports_come_along():
    body = f"import math\n\n\ndef helper():\n    return math.pi\n\n\n{FUNCTION}"
    text = read(f"```python\n{body}```")[1]["shop/cart.py"]
    assert text == f"import math\nimport os\n\n\ndef helper():\n    return math.pi\n\n\n{FUNCTION}"


def test_a_named_file_that_does_not_exist_is_created():
    assert read("File: `pkg/new.py`\n```python\nx = 1\n```")[1] == {"pkg/new.py": "x = 1\n"}


@every_case(
    ("reply", "expected"),
    [
        ("```python\ndef other():\n    pass\n```", "defines other, which no file holds"),
        ("```python\nx = 1\n```", "no function, class or file"),
        (f"```python\nRATE = 2\n{FUNCTION}```", "neither a definition nor an import"),
        ("```python\ndef total(items):\n    return sum(items)\n```", "2 times"),
        (f"```python\n{FUNCTION.replace('+=', '-=')}```", "changes nothing"),
    ],
)
def test_code_whose_place_is_not_clear(reply, expected):
    sources = {**SOURCES, "twin.py": CART} if "2 times" in expected else SOURCES
    assert expected in problem(reply, sources)


def test_the_first_shape_that_can_be_read_decides():
    unusable = JSON.replace("cart", "card")
    assert read(f"{unusable}\n```python\n{FUNCTION}```")[0].shape == "code"
    assert "unknown path" in problem(f"{unusable}\n```python\nfoo()\n```")


def test_prose_becomes_the_explanation():
    assert read(f"It subtracts.\n\n```python\n{FUNCTION}```\nBye")[0].explanation == "It subtracts."


@every_case(
    ("old", "body", "new"),
    [
        ("a\nb", "-b\n\\ No newline at end of file\n+\n", "a\n\n"),
        ("a\nb", "-b\n\\ No newline at end of file\n+b\n", "a\nb\n"),
        ("a\nb\n", "-b\n+b\n\\ No newline at end of file\n", "a\nb"),
        ("a\nb", "-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n", "a\nc"),
        ("a\nb", "-a\n+c\n b\n\\ No newline at end of file\n", "c\nb"),
        ("a\nb", "-b\n+c\n", "a\nc"),
    ],
)
def test_a_diff_decides_on_the_final_newline_where_it_says_so(old, body, new):
    assert read(f"--- a/x\n+++ b/x\n@@ -1 +1 @@\n{body}", {"x": old})[1] == {"x": new}


def test_floods_of_edits_are_refused_at_once():
    assert "too many" in problem(json.dumps({"edits": [EDIT] * 201}))
    assert "too many" in problem("n.py\n<<<<<<< SEARCH\n=======\ny\n>>>>>>> REPLACE\n" * 201)
    assert "too many" in problem("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n" * 201)
    assert "too many" in problem("```python\n" + "def f(): pass\n" * 201 + "```")


def test_a_file_whose_lines_the_parser_counts_otherwise_is_refused_in_words():
    reply = "```python\ndef size(a, b):\n    return a + b\n```"
    assert "no file holds" in problem(reply, {"m.py": "def size(a,\rb):\n    return a - b\n"})


SHAPES = {"json": JSON_REPLIES, "diff": DIFFS, "blocks": BLOCKS, "code": CODE}


@every_case(("shape", "reply"), [(shape, reply) for shape, replies in SHAPES.items() for reply in replies])
def test_each_shape_is_read_in_all_its_forms(shape, reply):
    parsed, texts = read(reply)
    assert parsed.shape == shape
    assert texts == FIXED


@every_case(("reply", "expected"), [*NO_PATCHES, *NO_DIFFS, *NO_BLOCKS])
def test_what_cannot_be_used_is_refused_with_its_reason(reply, expected):
    assert expected in problem(reply)
