"""Quick verdicts on every CPython: each kind of change takes effect, alone, and leaves nothing behind."""

from __future__ import annotations

import dataclasses

import pytest

from sandbox.reports import TestStatus

pytestmark = [pytest.mark.interpreters, pytest.mark.xdist_group("versions")]

SHOP = '''\
"""A shop."""
import functools

RATE = 2


def price(n, extra=0):
    """What n cost."""
    return n * RATE - extra


def begin():
    return 1


STARTED = begin()


def twice(function):
    @functools.wraps(function)
    def wrapper(*arguments):
        return function(*arguments) * 2

    return wrapper


@twice
@twice
def quadrupled(n):
    return n


@functools.lru_cache(maxsize=None)
def cached(n):
    return n + 1


def adder(n):
    def add(m):
        return n + m

    return add


add_three = adder(3)


def numbers(n):
    for i in range(n):
        yield i


async def later(n):
    return n


class Base:
    def name(self):
        return "base"


class Shop(Base):
    limit = 3
    __secret = 7

    def name(self):
        return super().name() + "!"

    @property
    def size(self):
        return self.limit

    @staticmethod
    def free():
        return 0

    @classmethod
    def build(cls):
        return cls()

    def secret(self):
        return self.__secret
'''
TESTS = """\
import inspect, unittest

import pytest

import shop
from shop import Shop, adder, add_three, begin, cached, later, numbers, price, quadrupled


def test_price():
    assert price(3) == 6


def test_doc():
    assert price.__doc__ == "What n cost."


def test_started():
    assert shop.STARTED == begin() == 1


def test_quadrupled():
    assert quadrupled(1) == 4


def test_cached():
    assert [cached(1), cached(1)] == [2, 2]


def test_adder():
    assert adder(1)(2) == 3


def test_add_three():
    assert add_three(2) == 5


def test_numbers():
    assert list(numbers(3)) == [0, 1, 2]


def test_numbers_come_late():
    assert inspect.isgenerator(numbers(1))


def test_later():
    with pytest.raises(StopIteration) as end:
        later(4).send(None)
    assert end.value.value == 4


def test_name():
    assert Shop().name() == "base!"


def test_size():
    assert Shop().size == 3


def test_free():
    assert Shop.free() == 0


def test_build():
    assert isinstance(Shop.build(), Shop)


class TestOld(unittest.TestCase):
    def test_secret(self):
        self.assertEqual(Shop().secret(), 7)
"""
PREFIX = "test_shop.py::"
NAMES = [line.split("def ")[1].split("(")[0] for line in TESTS.splitlines() if "def test_" in line]
ALL = [f"{PREFIX}TestOld::{name}" if name == "test_secret" else f"{PREFIX}{name}" for name in NAMES]
# What is replaced, by what, and which tests are red then.
CANDIDATES = [
    ("n * RATE - extra", "n * RATE + extra + 1", ["price"]),
    ("    return n * RATE - extra", "    n += 1\n    del extra\n    return n * RATE", ["price"]),
    ("RATE = 2", "RATE = 3", ["price"]),
    ("extra=0", "extra=1", ["price"]),
    ("What n cost.", "The cost.", ["doc"]),
    ("return 1\n", "return 2\n", ["started"]),
    ("(*arguments) * 2", "(*arguments) * 3", ["quadrupled"]),
    ("@twice\n@twice\n", "@twice\n", ["quadrupled"]),
    ("quadrupled(n):\n    return n\n", "quadrupled(n):\n    return n + 1\n", ["quadrupled"]),
    ("return n + 1", "return n + 2", ["cached"]),
    ("return n + m", "return n - m", ["adder", "add_three"]),
    ("adder(3)", "adder(4)", ["add_three"]),
    ("yield i", "yield i + 1", ["numbers"]),
    ("    for i in range(n):\n        yield i", "    return list(range(n))", ["numbers_come_late"]),
    ("later(n):\n    return n", "later(n):\n    return -n", ["later"]),
    ("async def later(n):\n    return n", "def later(n):\n    yield\n    return n", ["later"]),
    ('"base"', '"bass"', ["name"]),
    ('.name() + "!"', '.name() + "?"', ["name"]),
    ("class Shop(Base)", "class Shop", ["name"]),
    ("limit = 3", "limit = 4", ["size"]),
    ("return self.limit", "return self.limit + 1", ["size"]),
    ("    @property\n", "", ["size"]),
    ("return 0", "return 1", ["free"]),
    ("return cls()", "return None", ["build"]),
    ("return self.__secret", "return self.__secret + 1", ["secret"]),
    ('"""A shop."""\n', '"""A shop."""\n\n\n# moved\n', []),
]


@pytest.fixture(scope="module")
def notes():
    return []


@pytest.fixture(scope="module")
def bed(make, notes):
    testbeds = dataclasses.replace(make(shop__py=SHOP, test_shop__py=TESTS), notify=notes.append)
    with testbeds.open() as bed:
        report = bed.run()
        assert report.proves(set(ALL)), report
        yield bed


def red(report):
    return [result.test.rpartition("test_")[2] for result in report.failing]


def changed(old, new):
    assert SHOP.count(old) == 1, old
    return {"shop.py": SHOP.replace(old, new).encode()}


def test_each_kind_of_change_has_its_effect_and_no_other(bed, notes):
    wrong = {}
    for old, new, expected in CANDIDATES:
        report = bed.run(tests=ALL, changes=changed(old, new), quick=True)
        if red(report) != expected or len(report.results) != len(ALL) or not report.complete:
            wrong[old, new] = (red(report), report.problem, report.output[-500:])
    assert wrong == {}
    assert bed.run(tests=ALL, quick=True).proves(set(ALL))
    assert notes == [], "the quick way is open to such a project"


@pytest.mark.parametrize(
    ("new", "status"),
    [
        ("return [0 for _ in iter(int, 1)]", TestStatus.TIMEOUT),
        ("__import__('os')._exit(0)", TestStatus.CRASHED),
        ("__import__('os').abort()", TestStatus.CRASHED),
        ("__import__('ctypes').string_at(0)", TestStatus.CRASHED),
        ("raise SystemExit(0)", TestStatus.FAILED),
        ("return price(n)", TestStatus.FAILED),
    ],
)
def test_however_a_candidate_ends_the_next_verdict_is_right(bed, new, status):
    test = [f"{PREFIX}test_price"]
    report = bed.run(tests=test, changes=changed("return n * RATE - extra", new), quick=True, timeout_s=0.3)
    assert [result.status for result in report.results] == [status]
    assert not report.proves(set(test))
    assert bed.run(tests=test, quick=True).proves(set(test))


@pytest.mark.parametrize("new", ["return n *", "return 0\n\n\ndef", "return '\\0\0'", "return 0  # \udcff"])
def test_what_cannot_be_compiled_is_red(bed, new):
    changes = {"shop.py": SHOP.replace("return n * RATE - extra", new).encode("utf-8", "surrogateescape")}
    report = bed.run(tests=ALL, changes=changes, quick=True)
    assert not report.proves(set())
    assert bed.run(tests=ALL, quick=True).proves(set(ALL))


def test_a_function_that_is_gone_is_red(bed):
    assert not bed.run(tests=ALL, changes=changed("def price", "def cost"), quick=True).proves(set())


def test_a_new_file_is_found_and_gone_again(bed):
    test = [f"{PREFIX}test_price"]
    calling = changed("return n * RATE - extra", "import helper; return helper.answer(n)")
    helper = {"helper.py": b"def answer(n):\n    return 2 * n\n"}
    assert bed.run(tests=test, changes={**calling, **helper}, quick=True).proves(set(test))
    (failure,) = bed.run(tests=test, changes=calling, quick=True).failing
    assert failure.exception == "ModuleNotFoundError"


def test_a_failure_is_explained_by_the_lines_of_the_candidate(bed):
    longer = "n += 1\n    raise LookupError(n)"
    changes = changed("return n * RATE - extra", longer)
    (failure,) = bed.run(tests=[f"{PREFIX}test_price"], changes=changes, quick=True).failing
    assert (failure.exception, failure.message) == ("LookupError", "4")
    assert [(f.path, f.line, f.function) for f in failure.frames] == [
        ("test_shop.py", 10, "test_price"),
        ("shop.py", 10, "price"),
    ]


def test_the_first_failure_ends_a_quick_run_too(bed):
    changes = changed("n * RATE - extra", "0")
    report = bed.run(tests=ALL, changes=changes, quick=True, stop_at_first_failure=True)
    assert [result.test for result in report.results] == ALL[:1]
