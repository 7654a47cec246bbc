"""A project whose every kind of code is changed by a candidate, and what each candidate turns red."""

from __future__ import annotations

SHOP = '''\
"""A shop."""
import contextlib
import dataclasses
import enum
import functools
import threading

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


@contextlib.contextmanager
def opened(n):
    yield n + 5


@functools.singledispatch
def kind(x):
    return "other"


@kind.register(int)
def kind_of_int(x):
    return "int"


def counter():
    count = 0

    def more():
        nonlocal count
        count += 1
        return count

    return more


def remembered(n, seen=[]):
    seen.append(n)
    return len(seen)


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

    class Door:
        def width(self):
            return 90


@dataclasses.dataclass
class Item:
    cost: int = 8

    def double(self):
        return self.cost * 2


class Colour(enum.Enum):
    RED = 1

    def label(self):
        return self.name.lower()


TABLE = {"free": Shop.free, "label": Colour.RED.label}
fixed_price = functools.partial(price, 5)


def tickets():
    last = 100
    while True:
        last += 1
        yield last


TICKETS = tickets()
STOCK = {}


def fill():
    STOCK["apples"] = 12


filling = threading.Thread(target=fill)
filling.start()
filling.join()
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


def test_opened():
    with shop.opened(1) as value:
        assert value == 6


def test_kind():
    assert [shop.kind("x"), shop.kind(1)] == ["other", "int"]


def test_counter():
    more = shop.counter()
    assert [more(), more()] == [1, 2]


def test_remembered():
    assert shop.remembered(1) == 1


def test_width():
    assert Shop.Door().width() == 90


def test_item():
    assert (shop.Item().double(), shop.Item(1).cost) == (16, 1)


def test_label():
    assert shop.Colour.RED.label() == "red"


def test_table():
    assert shop.TABLE["free"]() == 0 and shop.TABLE["label"]() == "red"


def test_fixed_price():
    assert shop.fixed_price() == 10


def test_tickets():
    assert next(shop.TICKETS) == 101


def test_stock():
    assert shop.STOCK == {"apples": 12}


class TestOld(unittest.TestCase):
    def test_secret(self):
        self.assertEqual(Shop().secret(), 7)
"""
PREFIX = "test_shop.py::"
NAMES = [line.split("def ")[1].split("(")[0] for line in TESTS.splitlines() if "def test_" in line]
ALL = [f"{PREFIX}TestOld::{name}" if name == "test_secret" else f"{PREFIX}{name}" for name in NAMES]
# What is replaced, by what, and which tests fail then; None where the module cannot be imported.
CANDIDATES = [
    ("n * RATE - extra", "n * RATE + extra + 1", ["price", "fixed_price"]),
    (
        "    return n * RATE - extra",
        "    n += 1\n    del extra\n    return n * RATE",
        ["price", "fixed_price"],
    ),
    ("RATE = 2", "RATE = 3", ["price", "fixed_price"]),
    ("extra=0", "extra=1", ["price", "fixed_price"]),
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
    ("return 0", "return 1", ["free", "table"]),
    ("return cls()", "return None", ["build"]),
    ("return self.__secret", "return self.__secret + 1", ["secret"]),
    ("yield n + 5", "yield n + 6", ["opened"]),
    ('return "other"', 'return "none"', ["kind"]),
    ('return "int"', 'return "number"', ["kind"]),
    ("kind.register(int)", "kind.register(float)", ["kind"]),
    ("count += 1", "count += 2", ["counter"]),
    ("        nonlocal count\n        count += 1\n        return count", "        return 1", ["counter"]),
    ("return len(seen)", "return len(seen) + 1", ["remembered"]),
    ("seen=[]", "seen=[0]", ["remembered"]),
    ("return 90", "return 91", ["width"]),
    ("cost: int = 8", "cost: int = 9", ["item"]),
    ("self.cost * 2", "self.cost * 3", ["item"]),
    ("dataclasses.dataclass\n", "dataclasses.dataclass(init=False)\n", ["item"]),
    ("name.lower()", "name.upper()", ["label", "table"]),
    ("RED = 1", "BLUE = 1", None),
    ('"free": Shop.free', '"free": Shop.build', ["table"]),
    ("(price, 5)", "(price, 6)", ["fixed_price"]),
    ("last = 100", "last = 200", ["tickets"]),
    ('"apples"] = 12', '"apples"] = 13', ["stock"]),
    ('"""A shop."""\n', '"""A shop."""\n\n\n# moved\n', []),
]
