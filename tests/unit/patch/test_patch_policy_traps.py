"""Ways around the policy that a hostile review found: each was allowed once."""

# ruff: noqa: E501 - the attacks are read more easily in one piece
from every_case import every_case

from bot.patch.apply import from_sources
from bot.patch.policy.gate import Judgement, Policy, judge

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
}


@every_case("code", REFUSED.values())
def test_a_way_around_the_names_is_refused(code):
    assert judged(f"{HOST}\n\n{code}").refused


@every_case(
    "code",
    [
        "def f(x: 'int' | None, y: \"list[int]\" = ()) -> 'str':\n    return x\n",
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


@every_case(
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


# The second review: each was allowed once.
PROCESS_WIDE = [
    "import warnings\n\nwarnings.simplefilter('ignore')\n",
    "import warnings\n\nwarnings.filterwarnings('ignore')\n",
    "import random\n\nrandom.seed(5)\n",
    "import locale\n\nlocale.setlocale(locale.LC_ALL, 'C')\n",
    "from xml.sax import saxutils\n\nsaxutils.prepare_input_source('http://example.org')\n",
]
MOVED = [
    "path.rename(name)",
    "path.replace(name)",
    "path.touch()",
    "path.mkdir(parents=True)",
    "os.makedirs(name)",
]


@every_case("code", PROCESS_WIDE)
def test_what_changes_the_whole_process_or_reads_the_network_is_for_a_person(code):
    found = judged(f"{HOST}\n\n{code}")
    assert found.refused or found.shown


@every_case("call", MOVED)
def test_a_file_that_is_made_or_moved_is_for_a_person(call):
    found = judged(HOST.replace("return name\n", f"return {call}\n"))
    assert found.refused or found.shown


def test_a_text_in_which_something_is_replaced_moves_no_file():
    assert judged(HOST.replace("return name\n", "return name.replace('a', 'b')\n")) == Judgement()
    assert judged(HOST.replace("return name\n", "return name.rename(columns={})\n")) == Judgement()
    assert judged(HOST.replace("return name\n", "return name.replace(year=1)\n")) == Judgement()


def test_the_lookup_of_a_name_by_an_event_loop_is_refused():
    assert judged(HOST.replace("return name\n", "return loop.getaddrinfo(name, 80)\n")).refused
