"""Replies that leave something open: a path, an end, a level. What is sure is taken, the rest asked for."""

import pytest
from every_case import every_case

from bot.errors import PatchError
from bot.patch.apply import apply
from bot.patch.replies.parse import parse_reply

ONE = {"a.py": "def a():\n    return 1\ndef b():\n    return 2\n"}
TWO = {**ONE, "b.py": "x = 1\ny = 2\n"}
WITHOUT_PATH = '{"edits": [{"op": "replace", "start": 2, "end": 2, "lines": ["    return 5"]}]}'


def read(reply, sources):
    return apply(parse_reply(reply, sources).patch, sources)


def test_without_a_path_the_only_file_is_meant_and_of_two_none():
    assert read(WITHOUT_PATH, ONE) == {"a.py": ONE["a.py"].replace("1", "5")}
    for sources in (TWO, dict(reversed(TWO.items()))):
        with pytest.raises(PatchError, match="path: Field required"):
            read(WITHOUT_PATH, sources)


def test_a_diff_without_a_header_is_about_the_only_file_even_misquoted():
    diff = "@@ -1,4 +1,4 @@\n def a():\n-    return one\n+    return 7\n def b():\n     return 2\n"
    assert read(f"```diff\n{diff}```", ONE) == {"a.py": ONE["a.py"].replace("1", "7")}
    with pytest.raises(PatchError, match="names no file"):
        read(f"```diff\n{diff}```", {**TWO, "c.py": ONE["a.py"]})


@every_case("names", ["ab", "ba"])
def test_functions_without_a_blank_line_between_are_two_places(names):
    reply = "".join(f"```python\ndef {name}():\n    return 9\n```\n" for name in names)
    assert read(reply, ONE) == {"a.py": "def a():\n    return 9\ndef b():\n    return 9\n"}


def test_code_without_a_fence_ends_where_prose_begins():
    reply = "def a():\n    return 3\nThis works, as does\n    return 4\n"
    assert read(reply, ONE) == {"a.py": ONE["a.py"].replace("1", "3")}


@every_case("name", ["area", "side"])
def test_a_method_copied_but_for_its_first_blanks_moves_its_first_line_alone(name):
    shape = "class Square:\n    def area(self):\n        return 0\n\n    def side(self):\n        return 0\n"
    reply = f"```python\ndef {name}(self):\n        return self.a\n```"
    head, method, rest = shape.partition(f"    def {name}(self):\n")
    assert read(reply, {"s.py": shape}) == {"s.py": head + method + rest.replace("0", "self.a", 1)}
