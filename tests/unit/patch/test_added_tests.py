"""What of a change adds tests and nothing else, so that the rest of it can be judged by them."""

from every_case import every_case

from bot.domain import Patch
from bot.patch.added_tests import parts
from bot.patch.apply import apply, from_sources

CODE = "def price(n):\n    return n\n"
FIXED = "def price(n):\n    return 2 * n\n"
TESTS = '''"""Prices."""
import pytest
from shop import price

LIMIT = 3


@pytest.fixture
def first():
    return 1


def test_first(first):
    assert price(first) > 0


class TestShop:
    """All of it."""

    def test_one(self):
        assert price(0) == 0
'''
ROWS = """import pytest
from shop import price


@pytest.mark.parametrize(("n", "expected"), [(1, 2), pytest.param(2, 4)])
def test_price(n, expected):
    assert price(n) == expected


@pytest.mark.parametrize("n", [0.5], ids=str)
def test_named(n):
    assert price(n) == 1


class TestRows:
    @pytest.mark.parametrize("n", [1])
    def test_rows(self, n):
        assert price(n) == 2
"""
SOURCES = {
    "shop.py": CODE,
    "tests/test_shop.py": TESTS,
    "tests/test_rows.py": ROWS,
    "tests/conftest.py": "",
    "README.md": "x\n",
}
NEW = "\n\ndef test_two():\n    assert price(1) == 2\n"


def with_tests(text, path="tests/test_shop.py"):
    return parts(from_sources(SOURCES, {"shop.py": FIXED, path: text}), SOURCES, SOURCES)


ADDED = {
    TESTS + NEW: ["test_two"],
    TESTS + "\n    def test_method(self):\n        assert price(1) == 2\n": ["TestShop::test_method"],
    TESTS.replace("import price", "import price, more") + NEW: ["test_two"],
    TESTS.replace("LIMIT = 3", "LIMIT = 3\nMORE = 4\nimport os\n\n\ndef helper():\n    return 2\n") + NEW: [
        "test_two"
    ],
    TESTS + NEW.replace("def", "@pytest.mark.parametrize('n', [1])\ndef").replace("()", "(n)"): ["test_two"],
    TESTS
    + "\n\nclass TestMore:\n    def setup_method(self):\n        pass\n\n    def test_x(self): pass\n": [
        "TestMore"
    ],
    NEW.strip() + "\n\n\n" + TESTS.partition("\n")[2]: [],  # the docstring is gone
}


@every_case(("text", "names"), [(text, names) for text, names in ADDED.items() if names])
def test_added_tests_are_set_apart_from_the_code(text, names):
    found = with_tests(text)
    assert found is not None
    assert found.added == tuple(f"tests/test_shop.py::{name}" for name in names)
    assert found.tests == {"tests/test_shop.py": text}
    assert apply(found.code, SOURCES) == {"shop.py": FIXED}


GROWN = {
    ROWS.replace("(1, 2),", "(1, 2), (0, 0),"): "test_price",
    ROWS.replace("2, 4)]", "2, 4), pytest.param(3, 6, id='x')]"): "test_price",
    ROWS.replace('"n", [1]', '"n", [0, 1]'): "TestRows::test_rows",
    ROWS.replace("[0.5]", "[0.5, 1.5]"): "test_named",
}


@every_case(("text", "name"), GROWN.items())
def test_further_cases_of_a_test_are_tests_too(text, name):
    found = with_tests(text, "tests/test_rows.py")
    assert found is not None
    assert found.added == (f"tests/test_rows.py::{name}",)


CHANGED_ROWS = [
    ROWS.replace("(1, 2)", "(1, 3)"),
    ROWS.replace("(1, 2), ", ""),
    ROWS.replace("(1, 2), pytest.param(2, 4)", "pytest.param(2, 4), (1, 2)"),
    ROWS.replace("(1, 2)", "(1, 2), (0, 0)").replace("== expected", "<= expected"),
    ROWS.replace('parametrize("n", [1])', 'skipif("n", [1, 2])'),
    ROWS.replace('"n", [1])', '"n", [1, 2], indirect=True)'),
]


@every_case("text", CHANGED_ROWS)
def test_other_cases_are_another_test(text):
    assert with_tests(text, "tests/test_rows.py") is None


def test_a_new_file_of_tests_counts_whole():
    found = with_tests("import autouse\n", "tests/test_more.py")
    assert found is not None
    assert (found.added, set(found.tests)) == (("tests/test_more.py",), {"tests/test_more.py"})


@every_case(
    "more",
    [
        "gone = globals().pop('test_first')",
        "class TestMore(Base):\n    many = True",
        "@pytest.fixture(autouse=True)\ndef other():\n    pass",
    ],
)
def test_what_the_added_code_does_is_for_the_original_version_s_tests_to_show(more):
    assert with_tests(f"{TESTS}{NEW}\n\n{more}\n") is not None


OTHERWISE = [
    TESTS.replace("price(0) == 0", "price(0) == 1") + NEW,
    TESTS.replace("    assert price(first) > 0", "    return\n    assert price(first) > 0") + NEW,
    TESTS.replace("def test_first", "@pytest.mark.skip\ndef test_first") + NEW,
    TESTS.replace("def test_first(first):\n    assert price(first) > 0\n", "") + NEW,
    TESTS.replace("LIMIT = 3", "LIMIT = 4") + NEW,
    TESTS.replace("class TestShop", "class TestShop(Base)") + NEW,
    TESTS.replace('"""Prices."""\n', "") + NEW,
    TESTS + NEW + "\n\ntest_first = test_two\n",
    TESTS + "\n\ndef test_first():\n    pass\n",
    TESTS + NEW + "\n\ndel test_first\n",
    TESTS + NEW + "\npytestmark = pytest.mark.skip\n",
    TESTS + NEW + "\n\ndef pytest_generate_tests(metafunc):\n    pass\n",
    TESTS + NEW + "\n\ndef setup_module():\n    pass\n",
    TESTS + NEW + "\n\ndef setUpModule():\n    pass\n",
    TESTS + NEW + "\n\ndef len(x):\n    return 0\n",
    TESTS + NEW + "\nfrom shop import *\n",
    TESTS + NEW + "\nfrom other import price\n",
    TESTS + NEW + "\nprice.__code__ = other.__code__\n",
    TESTS + NEW + "\nprint(1)\n",
    TESTS.replace("import price", "import price, more as pytest") + NEW,
    TESTS + "\n    def setUp(self):\n        pass\n",
    TESTS + "\n    def test_one(self):\n        pass\n",
    TESTS + "\n    extra = 1\n",
    TESTS + "\n",  # nothing new
    TESTS + NEW + "(",
    TESTS + NEW + "\nfirst = 3\n",  # a fixture's name
    TESTS.replace("import price", "import price, pytestmark") + NEW,
    TESTS.replace("import price", "import price, setup_module") + NEW,
    TESTS.replace("import pytest", "import pytest\nfrom __future__ import annotations") + NEW,
    "import os\n" + TESTS + NEW,  # no docstring any more
    TESTS + NEW + f"\nMANY = {' + '.join('1' * 3000)}\n",
]


@every_case("text", OTHERWISE)
def test_what_does_more_to_the_tests_is_left_whole(text):
    assert with_tests(text) is None


ODD = [
    "tests/../../../victim/test_x.py",
    "/etc/test_x.py",
    "../test_x.py",
    ".git/test_x.py",
    "tests//test_x.py",
    "shop.py/test_x.py",
    "Tests/test_Shop.py".lower().replace("s/", "S/"),
]


@every_case("path", ODD)
def test_a_file_at_an_odd_path_is_left_to_the_policy(path):
    assert with_tests("def test_x():\n    pass\n", path) is None


@every_case("path", ["test/test_x.py", "test_x.py", "shop/tests/test_x.py"])
def test_a_file_of_tests_may_lie_where_tests_do(path):
    assert with_tests("def test_x():\n    pass\n", path) is not None


@every_case("path", ["tests/conftest.py", "tests/helpers.py", "tests/__init__.py", "tests/data.json"])
def test_only_files_of_tests_can_be_set_apart(path):
    assert with_tests("VALUE = 1\n", path) is None


def test_a_change_of_the_code_alone_or_of_the_tests_alone_stays_whole():
    assert with_tests(TESTS) is None
    alone = from_sources(SOURCES, {"tests/test_shop.py": TESTS + NEW})
    assert parts(alone, SOURCES, SOURCES) is None


def test_no_change_has_no_parts():
    assert parts(Patch(edits=()), SOURCES, SOURCES) is None
