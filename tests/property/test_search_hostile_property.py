"""Whatever a failure says and whatever the source is, rules and operators raise nothing.

The words are made from the rules' own patterns, so that each rule is reached with what its author did not
think of: empty names, no digits or thousands, another alphabet.
"""

import itertools
import re

import pytest
from every_case import every_case
from hypothesis import given
from hypothesis import strategies as st
from sections import sections

from bot.domain import Suspicion
from bot.search import candidates
from bot.search.templates import from_templates
from bot.search.templates.registry import TEMPLATES
from examples import examples
from sandbox.reports import Comparison, Frame, TestResult, TestStatus

PROGRAMS = (
    *("", "\n", "\ufeff", "\x0c\n", "x = (\n", "x = '\\\n", "\x00", "\tif x:\n  y\n"),
    *("a\r\nb\rc\n", "def f(d,\rk): d[k]\n"),
    "print 'a'\nexec 'x' in d\nraise E, 'x'\nx = `1`\n",
    "type X[T] = list[T]\ndef f[T: int](x: T) -> T: return x\nclass C[*A, **P]: pass\n",
    "def f(a, /, b, *c, d=1, **e): return (a)(b)[c:d, ::2](*c, **e)\nf(*a, **b)\nint('')\nfloat(x, )\n",
    "x = 10**400 + 0xFFFF_FFFF_FFFF_FFFF_FFFF - 1e999j\nx = {**a, 'b': [*c], (): {*d}}[()][...]\n",
    "match x:\n    case {'a': [1, *r], **k} if r: y(k)\n    case A(b=1) | C(): pass\n    case _: z\n",
    "async def f():\n    async with a as b, c: [x async for x in y if await x]\n    yield (yield)\n",
    "f'{x!r:>{w}} {y=}' f'{{}}' '' ''.join('').split('').replace('', '')\n''.strip('')['':'']\n",
    "try:\n    a\nexcept* (B, C) as e:\n    raise A from e\nelse: d\nfinally: e\n",
    "@a.b(c)[d]\nclass é\u00df(metaclass=M):\n    x: int = 1\n    __slots__ = ()\n    def __init__(): ...\n",
    "import a.b as c, d\nfrom . import *\nfrom ..x import (y as z,)\nglobal x; x = 1; del x\n",
    "while 1:\n    break\nelse:\n    pass\nfor a, (b, *c) in d: continue\nassert x, (y := 5)\n",
    "def f():\n    '''doc'''\n    nonlocal x\n    return lambda *a: (yield)\n",
    "def f(a): return max(a) % (a // 0) or next(a) and sum([], '') + a[0] - a['k'] < None\n",
)  # fmt: skip
# What rules look for, each on a line of its own.
RICH = sections("sources/search_hostile.txt")[0].parts["RICH"]
WORDS = r"""' " \ () [ {} %s .. a.b 0 -1 1e999 nan $ 1,0 0x None self __init__ class f x"""
ODD = st.sampled_from(
    [*WORDS.split(), *("", " ", "\n", "\x00", "é", "\ud800", "\u2028", "\U0001d518", "9" * 900)]
)
PATTERNS = {number: st.from_regex(rule.pattern) for number, rule in enumerate(TEMPLATES)}
NOT_QUOTED = re.compile(r"'[^']*'")


@st.composite
def failures(draw, number):
    """A failure that the rule speaks of, of one of the programs: its words, its place, its two sides."""
    text = draw(st.just(RICH) | st.sampled_from(PROGRAMS))
    words = draw(PATTERNS[number])
    if draw(st.booleans()):
        words = NOT_QUOTED.sub(lambda _: f"'{draw(ODD)}'", words)
    kinds = TEMPLATES[number].kind.split("|")
    lines = draw(st.lists(st.integers(0, text.count("\n") + 2), max_size=8, unique=True))
    frames = [Frame(path="m.py", line=line, function="f") for line in (*lines, 10**9)]
    sides = st.builds(Comparison, operator=st.sampled_from(["==", "in", ""]), left=ODD, right=ODD)
    return text, TestResult(
        test="test_m.py::test",
        status=draw(st.sampled_from([TestStatus.FAILED, TestStatus.TIMEOUT])),
        exception=draw(st.sampled_from(kinds)),
        message=words,
        frames=tuple(frames),
        comparison=draw(st.none() | sides),
    )


def test_the_rich_program_is_one():
    assert compile(RICH, "m.py", "exec", dont_inherit=True)


@pytest.mark.parametrize("number", range(len(TEMPLATES)), ids=lambda number: TEMPLATES[number].name)
@given(data=st.data())
@examples(15)
def test_a_rule_raises_nothing(number, data):
    text, failure = data.draw(failures(number))
    for candidate in from_templates({"m.py": text}, [failure]):
        assert candidate.patch.edits


@every_case("text", [RICH, *PROGRAMS])
def test_operators_raise_nothing(text):
    suspicions = [Suspicion(path="m.py", line=line, score=1.0) for line in range(text.count("\n") + 3)]
    for left, right in (("", "9" * 900), ("''", "{'': ()}")):
        sides = Comparison(operator="==", left=left, right=right)
        failure = TestResult(test="t", status=TestStatus.FAILED, exception="AssertionError", comparison=sides)
        found = candidates({"m.py": text}, suspicions, [failure])
        assert all(candidate.patch.edits for candidate in itertools.islice(found, 60))
