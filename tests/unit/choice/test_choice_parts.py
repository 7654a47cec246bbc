"""What is read off texts: the functions that patches change, examples, sense."""

import ast

import pytest
from case_rows import rows
from choice_support import PATH, alternative
from every_case import every_case
from sections import sections

from bot.choice.choose import choose
from bot.choice.code_smells import none_by_value, pointless_code, set_orders, shared_taken, unused_names
from bot.choice.examples import examples
from bot.choice.probing import probe_request
from bot.choice.targets import changed_functions
from bot.domain import Baseline
from sandbox.probes import (
    ProbeTarget,
)

SOURCE = sections("sources/choice_parts.txt")[0].parts["SOURCE"]


TOLL = (ProbeTarget(path=PATH, name="toll"),)


def changed(*versions):
    found = changed_functions([{PATH: version} for version in versions], {PATH: SOURCE})
    return [target.name for target in found]


def test_the_functions_that_alternatives_change_are_tried():
    assert changed(SOURCE.replace("x * RATE", "x + RATE")) == ["toll", "toll.inner"]
    assert changed(SOURCE.replace("return count", "return -count")) == ["Gate.let"]
    both = [SOURCE.replace("return 1", "return 2"), SOURCE.replace("return 1", "return 3")]
    assert changed(SOURCE.replace("x * RATE", "x"), *both) == ["other", "toll", "toll.inner"]
    # A change outside of functions may show in any; what cannot be read has none.
    outside = SOURCE.replace("RATE = 2", "RATE = 3")
    assert changed(outside) == ["Gate.let", "other", "toll"]
    assert changed(outside, both[0])[0] == "other"
    assert changed_functions([{PATH: "def f(:\n"}], {PATH: "x = 1\n"}) == ()


def test_a_docstring_gives_examples():
    found = examples({PATH: SOURCE}, (*TOLL, ProbeTarget(path=PATH, name="Gate.let")))
    assert [(example.expression, example.expected) for example in found if not example.session] == [
        ("toll(0)", "0"),
        ("toll(2)", "4"),
        ("toll(4)", "8"),
        ("toll(5)", "10"),
        ("toll(6)", "12"),
    ]
    assert [example.session for example in found if example.session] == [
        ">>> from toll import *\n>>> toll(9)\n18\n",
        ">>> base = 3\n>>> toll(base)\n6\n",
    ]
    assert {example.target for example in found} == {0}


STACK = """
>>> stack = Stack([1, 2, 3])
>>> stack.top()  # the last one
3
>>> len(stack)
3
>>> stack.fail()
Traceback (most recent call last):
ValueError
>>> found = iter(stack)
>>> next(found)
1
>>> stack.pop()
2
"""


def test_a_step_that_prints_comes_before_the_next_example_where_it_may_change_an_object():
    source = f"class Stack:\n    def pop(self):\n        {STACK!r}\n"
    *_, last = examples({PATH: source}, (ProbeTarget(path=PATH, name="Stack.pop"),))
    assert last.session == (
        ">>> stack = Stack([1, 2, 3])\n>>> _ = (stack.top()  # the last one\n... )\n"
        ">>> found = iter(stack)\n>>> _ = (next(found)\n... )\n>>> stack.pop()\n2\n"
    )


@every_case(
    "text",
    [
        "toll(1) == [1, 'a)']",
        "toll(')', [1, (2)]) -> [1, 'a)'] as one would think",
        "toll(1) should return [1, 'a)'].",
        "toll(x='it\\'s (') => [1, 'a)'], not more",
    ],
)
def test_an_example_ends_where_its_literal_does(text):
    source = f"def toll(x):\n    {text!r}\n"
    (example,) = examples({PATH: source}, TOLL)
    assert ast.literal_eval(example.expected) == [1, "a)"]
    assert text.startswith(example.expression)
    assert example.expression.endswith(")")


@every_case("text", ["toll(1) returns the toll", "toll(1", "toll(1 2) == 3", "toll == 4", "", ">>> toll(1)"])
def test_prose_is_no_example(text):
    for source in (f"def toll(x):\n    {text!r}\n", "def broken(:"):
        assert examples({PATH: source}, TOLL) == ()


@every_case(
    ("text", "count"),
    [
        ("def f(a, b):\n    return a + b\n", 0),
        ("def f(a, b):\n    return a\n", 1),
        ("def f(a, _b):\n    c = a\n    return a\n", 1),
        ("def f(items):\n    for key, value in items:\n        yield key\n", 1),
        ("class C:\n    def m(self, *, a=1):\n        a += 1\n        return 1\n", 2),
    ],
)
def test_names_that_nothing_reads_are_counted(text, count):
    assert unused_names(ast.parse(text)) == count


@every_case(
    ("text", "count"),
    [
        *rows("choice/pointless.txt", int),
        ("if x: y()\nelse: y()", 1),
        ("if x == 1: y()\nelif z == 2: w()", 1),
        ("def f():\n    return 1\n    return 2", 1),
        ("def f(x):\n    if x: return 1\n    return 1", 1),
        ("for x in y:\n    continue\n    z()", 1),
        ("if x in seen:\n    seen.add(x)", 1),
        ("if x not in seen:\n    seen.add(x)", 0),
        ("if x in seen:\n    twice.add(x)\n    seen.add(y)", 0),
        ("def f(a):\n    b = a\n    b = g()\n    return b", 1),
        ("def f(a):\n    b = a\n    c = g()\n    b = c\n    return b", 1),
        ("def f(a):\n    b = a\n    b = g(b)\n    return b", 0),
        ("def f(a):\n    b = a\n    b += 1\n    b = 2\n    return b", 0),
        ("def f(a):\n    b = a\n    if a: b = 2\n    return b", 0),
        ("def f(a):\n    b = a\n    b, c = g()\n    return b", 0),
        ("def f(a):\n    if a:\n        b = 1\n    c = g()\n    b = c\n    return b", 1),
        ("def f(a):\n    if a:\n        b = 1\n        b = 2\n    b = 3\n    return b", 2),
        ("def f(a):\n    if a:\n        b = 1\n        return b\n    b = 3\n    return b", 0),
        ("def f(a):\n    b = 0\n    if a:\n        b = 1\n    g(b)\n    b = 3\n    return b", 0),
        ("def f(a):\n    b = a\n    a += 1\n    return b", 1),
        ("def f(a):\n    for b in a:\n        a *= b\n    return b", 1),
        ("def f(a):\n    for b in a:\n        c = a\n        a *= b\n    return c", 0),
        ("def f(a):\n    a += 1\n    return lambda: a", 0),
        ("def f(a):\n    b = a\n    a += b\n    return b", 0),  # it may be a list that others see
        ("def f():\n    global a\n    b = a\n    a += 1\n    return b", 0),
        ("b = 1\nb = 2", 0),
        ("a.get(1)", 1),
        ("b = a.get(1)", 0),
        ("a.pop(1)", 0),
        ("try:\n    a()\nexcept A:\n    raise\n    b()", 1),
        ("with a:\n    return_()\n    raise b\n    c()", 1),
        ("if x: y()\nelse: z()", 0),
        ("if x == 1: y()\nelif x == 2: z()", 0),
        ("if x: y()\nelif z == 1: w()", 0),
        ("def f(x):\n    if x: return 1\n    return 2", 0),
    ],
)
def test_code_without_sense_is_seen_and_code_with_sense_left_alone(text, count):
    assert pointless_code(ast.parse(text)) == count


@every_case(("text", "count"), [("x == None", 1), ("x != None", 1), ("x is None", 0), ("x == 0", 0)])
def test_none_is_asked_for_by_identity(text, count):
    assert none_by_value(ast.parse(text)) == count


@every_case(
    ("text", "count"),
    [
        ("TABLE = {}\ndef f(x): return TABLE.pop(x)", 1),
        ("def f(x): return limits.TABLE[x].clear()", 1),
        ("def f(x):\n    def g(): queue.remove(x)\n    return g", 1),
        ("TABLE = {}\ndef f(x): return TABLE.get(x)", 0),
        ("def f(x, **options): return options.pop(x)", 0),
        ("class C:\n    def f(self, x): self.table.pop(x)", 0),
        ("def f(x):\n    found = list(TABLE)\n    found.remove(x)", 0),
        ("TABLE.pop('x')", 0),
        ("def f(x): del TABLE[x]", 1),
    ],
)
def test_what_is_taken_out_of_an_object_of_the_module_is_counted(text, count):
    assert shared_taken(ast.parse(text)) == count


@every_case(
    ("text", "count"),
    [
        ("list(set(x))", 1),
        ("tuple({a for a in x})", 1),
        ("', '.join(set(x))", 1),
        ("[*frozenset(x)]", 1),
        ("sorted(set(x))", 0),
        ("list(x)", 0),
        ("set(list(x))", 0),
    ],
)
def test_what_has_the_order_of_a_set_is_counted(text, count):
    assert set_orders(ast.parse(text)) == count


@pytest.mark.slow
def test_code_that_is_nested_too_deeply_keeps_no_patch_from_being_chosen():
    long = " + ".join(["a"] * 2_000)
    source = f"LONG = {long}\n\n\ndef f(a):\n    return {long} - 1\n"
    alternatives = [alternative(source, "- 1", "+ 1"), alternative(source, "- 1", "+ 2")]
    assert probe_request(alternatives, {PATH: source}, Baseline()) is None
    assert choose(alternatives, {PATH: source}).attempt in alternatives


def test_odd_literals_of_a_project_are_read_without_a_warning():
    original = {PATH: 'def f(a):\n    return a, "\\d" is a\n'}
    changed = {PATH: original[PATH].replace("a, ", "[a], ")}
    assert changed_functions([changed], original) == (ProbeTarget(path=PATH, name="f"),)
    assert examples(original, [ProbeTarget(path=PATH, name="f")]) == ()
