"""The project whose verdicts are attacked: three tests fail until ``price`` is right, and one passes."""

from __future__ import annotations

SHOP = '''\
"""A shop."""


def price(n):
    return n + 1


def greeting():
    return "hello"
'''
RIGHT = SHOP.replace("n + 1", "2 * n")
WRONG = SHOP.replace("n + 1", "n - 1")
TESTS = """\
import unittest

import pytest

import shop
from kit import tools


def test_greeting():
    assert shop.greeting() == tools.GREETING


def test_price():
    assert shop.price(3) == 6


class TestOld(unittest.TestCase):
    def test_price(self):
        self.assertEqual(shop.price(4), 8)


def test_text():
    with pytest.raises(TypeError):
        shop.price({})
    assert shop.price("ab") == "abab"
"""
PROJECT = {
    "shop.py": SHOP,
    "kit/__init__.py": "",
    "kit/tools.py": 'GREETING = "hello"\n',
    "test_shop.py": TESTS,
}
FAILING = ("test_shop.py::test_price", "test_shop.py::TestOld::test_price", "test_shop.py::test_text")
PASSING = "test_shop.py::test_greeting"
