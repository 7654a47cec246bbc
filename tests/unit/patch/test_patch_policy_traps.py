"""Ways around the policy that a hostile review found: each was allowed once."""

# ruff: noqa: E501 - the attacks are read more easily in one piece
import pytest

from bot.patch.apply import from_sources
from bot.patch.policy import Judgement, Policy, judge

HOST = '"""Prices."""\n\nimport os\nfrom functools import singledispatch\n\n\ndef price(name):\n    """Price.\n\n    >>> price(4)\n    8\n    """\n    return name\n\n\ndef load(name):\n    return open(name).read()\n'


def judged(new: str) -> Judgement:
    sources = {"shop.py": HOST}
    return judge(from_sources(sources, {"shop.py": new}), sources, Policy())


REFUSED = {
    "builtins by enum's name": "import enum\n\nenum.bltns.exec('1')\n",
    "builtins imported from enum": "from enum import bltns as q\n\nq.exec('1')\n",
    "a module in a class": "class C:\n    import os as o\n\n\nC.o.execv('x', [])\n",
    "a module in a class, below if": "class C:\n    if True:\n        import os as o\n",
    "an annotation of pieces": "def f(x: '__imp' + 'ort__(1)'):\n    return x\n",
    "an annotation of a format": "def f(x: f'__imp{0}'):\n    return x\n",
    "an annotation that is joined": "def f() -> ''.join(['__imp', 'ort__(1)']):\n    return 1\n",
    "the search path of a package": "__path__.append('/tmp')\n",
    "the package of relative imports": "__package__ = 'os'\n",
    "a hook of pytest": "def pytest_runtest_call(item):\n    return None\n",
    "a hook of unittest": "def load_tests(loader, tests, pattern):\n    return tests\n",
    "equality with a type": "class A(int):\n    def __eq__(self, other):\n        return type(other) is int\n",
    "equality by isinstance": "class A:\n    def __eq__(self, o):\n        return isinstance(o, (int, str))\n",
    "equality behind a docstring": 'class A:\n    def __eq__(self, o):\n        """Equal."""\n        return True\n',
    "equality by a lambda": "class A:\n    __eq__ = lambda s, o: True\n",
}


@pytest.mark.parametrize("code", REFUSED.values(), ids=REFUSED.keys())
def test_a_way_around_the_names_is_refused(code):
    assert judged(f"{HOST}\n\n{code}").refused


@pytest.mark.parametrize(
    "code",
    [
        "def f(x: 'int' | None, y: \"list[int]\" = ()) -> 'str':\n    return x\n",
        "class A:\n    def __eq__(self, other):\n        return isinstance(other, A) and self.x == other.x\n",
        "class A:\n    def __eq__(self, other):\n        return NotImplemented\n",
        "class A:\n    def __eq__(self, other):\n        return self is other\n",
        "class A:\n    def __eq__(self, other):\n        return vars(self) == vars(other)\n",
    ],
)
def test_what_looks_like_one_and_is_none_is_allowed(code):
    assert judged(f"{HOST}\n\n{code}") == Judgement()


def test_an_example_that_doctest_runs_is_a_test():
    changed = "an example in a docstring, which may be a test, was changed"
    assert judged(HOST.replace("    8\n", "    5\n")).refused == (f"shop.py: {changed}",)
    assert judged(HOST.replace("    >>> price(4)\n    8\n", "")).refused == (f"shop.py: {changed}",)
    new = judged(HOST.replace("    8\n", "    8\n\n    >>> price(1)\n    2\n"))
    assert (new.refused, len(new.shown)) == ((), 1)
    assert judged(HOST.replace("Price.\n\n    >>>", "The price.\n\n    >>>")) == Judgement()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("open(name)", "open(name, 'r', -1, None, None, None, True, price)"),
        ("open(name)", "open(name).name.open(**name)"),
        ("return name\n", "return name.open(*['w'])\n"),
        ("return name\n", "return name.open(mode=name)\n"),
    ],
)
def test_an_open_that_may_write_or_call_is_for_a_person(old, new):
    assert judged(HOST.replace(old, new)).shown
