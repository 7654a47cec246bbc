"""A reply as a candidate: the function is found in what stands around it, and checked before it runs."""

import ast

from agent_support import FILES, PATH, SOURCE, runtime
from every_case import every_case
from hypothesis import given
from hypothesis import strategies as st
from sections import sections

from bot.agent.model.briefing.target import targets
from bot.agent.model.reading import Asked, function_in, read
from bot.domain import Attempt, Candidate, Flaw, Suspicion, Verdict
from bot.patch.apply import apply

RIGHT = "def total(a, b):\n    return a + b"
SOURCES = sections("sources/agent_reading.txt")[0].parts
CART = SOURCES["CART"]


def target_of(files=FILES, path=PATH, line=2):
    return targets(files, [Suspicion(path=path, line=line, score=1.0)])[0]


def reading(text, *, files=FILES, path=PATH, line=2, cut=False, **more):
    asked = Asked(turn=3, target=target_of(files, path, line), **more)
    return read(text, asked, runtime(files=files).context, model="m", cut=cut)


def texts(found, files=FILES):
    assert isinstance(found, Candidate), found
    return apply(found.patch, files)


FUNCTIONS = [one.parts["reply"] for one in sections("reading/functions.txt")]


@every_case("reply", [*FUNCTIONS, RIGHT.replace("\n", "\r\n")])
def test_the_function_is_taken_out_of_what_stands_around_it(reply):
    new = texts(reading(reply))[PATH]
    tree = ast.parse(new)
    assert [node.name for node in tree.body] == ["total", "half"]
    assert "return a + b" in new


def cart_after(reply, *, line=12):
    files = {"cart.py": CART}
    return texts(reading(reply, files=files, path="cart.py", line=line), files)["cart.py"]


def test_a_docstring_that_is_left_out_or_changed_stays_as_it_was_and_so_do_decorators():
    reply = "```python\ndef total(self):\n    return sum(self.items)\n```"
    assert cart_after(reply) == CART.replace(" - 1", "")
    reply = '```python\n@property\ndef total(self):\n  """Sum!"""\n  x = 1\n  return sum(self.items)\n```'
    new = cart_after(reply)
    assert new.count("@property") == 1
    assert '        """The sum.\n\n        Of all.\n        """\n' in new.replace(
        '      """The', '        """The'
    )
    assert "Sum!" not in new
    ast.parse(new)


def test_of_methods_with_one_name_the_one_that_was_shown_is_replaced():
    reply = "```python\ndef __init__(self, lines):\n    self.lines = lines\n```"
    new = cart_after(reply, line=20)
    assert new == CART.replace("lines[1:]", "lines")
    whole = "```python\nclass Order:\n    def __init__(self, lines):\n        self.lines = lines\n```"
    assert cart_after(whole, line=20) == new


def test_helpers_and_imports_that_the_function_needs_come_along_and_no_others():
    tree = ast.parse(texts(reading(SOURCES["HELPERS"]))[PATH])
    names = [getattr(node, "name", "import") for node in tree.body]
    assert sorted(names) == ["half", "import", "other", "plus", "total"]


@every_case("case", sections("reading/useless.txt"))
def test_what_cannot_run_says_why(case):
    found = reading(case.parts["reply"])
    assert isinstance(found, Attempt)
    assert (found.verdict, found.flaw.name) == (Verdict.REJECTED, case.facts["flaw"])
    assert found.candidate.turn == 3
    assert case.facts["says"] in found.detail
    assert found.candidate.patch.edits == ()


def test_a_reply_that_broke_off_is_not_taken_for_whole():
    assert reading("```python\ndef total(a, b):\n    c = a", cut=True).flaw is Flaw.CUT
    assert reading("The bug is", cut=True).flaw is Flaw.CUT
    assert isinstance(reading(f"```python\n{RIGHT}\n```\nAnd as you can", cut=True), Candidate)


def test_the_signature_may_change_where_the_test_cannot_call_it():
    assert isinstance(reading("def total(a):\n    return a", keeps_signature=False), Candidate)


def test_other_shapes_are_read_by_the_ladder():
    reply = '{"edits": [{"op": "substitute", "path": "shop.py", "find": "a - b", "replace": "a + b"}]}'
    assert texts(reading(reply)) == {PATH: SOURCE.replace("a - b", "a + b")}
    broken = reply.replace("a + b", "a +")
    assert reading(broken).flaw is Flaw.SYNTAX


@every_case(
    "reply",
    [
        '{"edits": [{"op": "replace", "start": 2, "end": 2, "lines": ["    return a + b"]}]}',
        "<<<<<<< SEARCH\n    return a - b\n=======\n    return a + b\n>>>>>>> REPLACE",
        "```diff\n-    return a - b\n+    return a + b\n```",
    ],
)
def test_what_names_no_file_is_meant_for_the_one_that_was_shown(reply):
    files = {**FILES, "other/cart.py": SOURCE}
    found = read(reply, Asked(turn=1, path=PATH), runtime(files=files).context, model="m")
    assert texts(found, files) == {PATH: SOURCE.replace("a - b", "a + b")}


def test_what_names_another_file_is_not_taken_for_the_one_that_was_shown():
    files = {**FILES, "b/shop.py": SOURCE}
    edit = '{"op": "replace", "path": "b/shop.py", "start": 2, "end": 2, "lines": ["    return 1"]}'
    asked = Asked(turn=1, path=PATH)
    found = read(f'{{"edits": [{edit}]}}', asked, runtime(files=files).context, model="m")
    assert list(texts(found, files)) == ["b/shop.py"]


@every_case("terms", [700, 1_200, 5_000])
def test_code_that_is_nested_too_deeply_is_a_candidate_or_an_attempt_in_vain(terms):
    found = reading("def total(a, b):\n    return " + " + ".join(["a"] * terms))
    assert isinstance(found, Candidate) or found.flaw is Flaw.SYNTAX


def test_an_explanation_is_made_up_where_there_is_none():
    found = reading(RIGHT, explanation="adds")
    assert (found.origin, found.explanation, found.turn) == ("m", "adds", 3)


@given(st.text(st.sampled_from("def total(a, b):\n    return `'\"\\#@{}[]"), max_size=200) | st.text())
def test_no_text_is_more_than_a_candidate_or_an_attempt(text):
    assert isinstance(reading(text), Candidate | Attempt)


def test_the_last_complete_version_counts():
    both = f"```python\n{RIGHT}\n```\nor\n```python\ndef total(a, b):\n    return b + a\n```"
    assert function_in(both, target_of()).endswith("b + a")
    assert function_in("def totally(a):\n    pass", target_of()) is None
