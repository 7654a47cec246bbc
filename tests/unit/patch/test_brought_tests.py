"""What of a change are tests, so that the rest of it can be judged by them."""

from every_case import every_case

from bot.domain import Patch
from bot.patch.apply import apply, from_sources
from bot.patch.brought_tests import parts

CODE = "def price(n):\n    return n\n"
FIXED = "def price(n):\n    return 2 * n\n"
TESTS = '''"""Prices."""
import pytest
from shop import price


@pytest.mark.parametrize("n", [1])
def test_first(n):
    assert price(n) > 0


class TestShop:
    def test_one(self):
        assert price(0) == 0

    class TestMore:
        def test_two(self):
            assert price(0) == 0
'''
SOURCES = {"shop.py": CODE, "tests/test_shop.py": TESTS, "tests/conftest.py": "", "README.md": "x\n"}
NEW = "\n\ndef test_new():\n    assert price(1) == 2\n"


def with_tests(text, path="tests/test_shop.py"):
    return parts(from_sources(SOURCES, {"shop.py": FIXED, path: text}), SOURCES, SOURCES)


BROUGHT = {
    TESTS + NEW: ["::test_new"],
    TESTS + "\n    async def test_method(self):\n        assert price(1) == 2\n": ["::TestShop::test_method"],
    TESTS.replace("[1]", "[1, 2]"): ["::test_first"],
    TESTS.replace("            assert", "            assert price(1)\n            assert"): [
        "::TestShop::TestMore::test_two"
    ],
    TESTS.replace("== 0", "== 1"): ["::TestShop::test_one", "::TestShop::TestMore::test_two"],
    TESTS.replace("import price", "import price as price"): [""],  # nobody knows which
    TESTS + f"\nMANY = {' + '.join('1' * 3000)}\n": [""],
    TESTS + f"\n\ndef test_deep():\n    return {' + '.join('1' * 3000)}\n": [""],
    TESTS + "(": [""],
}


@every_case(("text", "names"), BROUGHT.items())
def test_tests_are_set_apart_from_the_code(text, names):
    found = with_tests(text)
    assert found is not None
    assert found.brought == tuple(f"tests/test_shop.py{name}" for name in names)
    assert found.tests == {"tests/test_shop.py": text}
    assert apply(found.code, SOURCES) == {"shop.py": FIXED}


def test_a_new_file_of_tests_counts_whole():
    found = with_tests("import shop\n", "tests/test_more.py")
    assert found is not None
    assert (found.brought, set(found.tests)) == (("tests/test_more.py",), {"tests/test_more.py"})


ODD = [
    "tests/../../../victim/test_x.py",
    "/etc/test_x.py",
    "../test_x.py",
    ".git/test_x.py",
    "tests//test_x.py",
    "shop.py/test_x.py",
    "tests/Test_shop.py",
    *("tests/conftest.py", "tests/helpers.py", "tests/__init__.py", "tests/data.json"),
]


@every_case("path", ODD)
def test_any_other_file_is_left_to_the_policy(path):
    assert with_tests("def test_x():\n    pass\n", path) is None


@every_case("path", ["test/test_x.py", "test_x.py", "shop/tests/test_x.py"])
def test_a_file_of_tests_may_lie_where_tests_do(path):
    assert with_tests("def test_x():\n    pass\n", path) is not None


def test_a_change_of_the_code_alone_or_of_the_tests_alone_stays_whole():
    assert with_tests(TESTS) is None
    alone = from_sources(SOURCES, {"tests/test_shop.py": TESTS + NEW})
    assert parts(alone, SOURCES, SOURCES) is None
    assert parts(Patch(edits=()), SOURCES, SOURCES) is None
