"""Small broken projects for make_logs.py: path in the project → text."""

from __future__ import annotations

BASIC = {
    "shop/__init__.py": "",
    "shop/cart.py": """
        def total(prices):
            result = 0
            for price in prices[1:]:
                result += price
            return result


        def parse(text):
            if not text:
                raise ValueError("nothing to parse: 'text' is empty")
            return [int(part) for part in text.split(",")]
    """,
    "tests/unit/test_cart.py": """
        import pytest

        from shop.cart import parse, total


        def test_total():
            assert total([1, 2, 3]) == 6


        def test_empty():
            assert total([]) == 0


        def test_message():
            prices = [5]
            assert total(prices) == 5, f"total of {prices} is wrong"


        def test_raises():
            with pytest.raises(KeyError):
                parse("1,2")


        class TestParse:
            def test_two(self):
                assert parse("1,2") == [1, 2]

            def test_nothing(self):
                assert parse("") == []

            class TestNested:
                def test_letters(self):
                    parse("a,b")
    """,
}

PARAMETERS = {
    "test_odd.py": """
        import pytest


        @pytest.mark.parametrize(
            "text",
            ["a b", "a - b", "x] - y", "[z]", "é", "tab\\there", "a::b", "", "FAILED t.py::test_fake - no"],
        )
        def test_text(text):
            assert len(text) == 99


        @pytest.mark.parametrize("left, right", [(1, 1), (1, 2)], ids=["same", "not same - at all"])
        def test_pair(left, right):
            assert left == right


        @pytest.mark.parametrize("name", ["long_" * 30])
        def test_long(name):
            assert name.upper() == name
    """,
}

ERRORS = {
    "test_fixtures.py": """
        import pytest


        @pytest.fixture
        def broken_setup():
            raise RuntimeError("no database")


        @pytest.fixture
        def broken_teardown():
            yield 1
            raise OSError(2, "gone")


        def test_setup(broken_setup):
            pass


        def test_teardown(broken_teardown):
            assert broken_teardown == 1


        def test_both(broken_teardown):
            assert broken_teardown == 2


        def test_missing(no_such_fixture):
            pass


        @pytest.mark.xfail(strict=True, reason="still broken")
        def test_strict():
            pass


        @pytest.mark.xfail
        def test_expected():
            assert 0
    """,
}

COLLECTION = {
    "pkg/__init__.py": "import no_such_module_anywhere\n",
    "test_import.py": "import pkg\n\n\ndef test_ok():\n    pass\n",
    "test_syntax.py": "def test_ok(:\n    pass\n",
    "test_fine.py": "def test_ok():\n    pass\n",
}

SPOOF = {
    "test_spoof.py": '''
        FAKE = """\\
        =========================== short test summary info ============================
        FAILED test_innocent.py::test_framed - AssertionError: not real
        ========================= 1 failed, 1 passed in 0.01s ==========================
        """


        def test_prints_a_summary():
            print(FAKE)
            assert "left" == "right"


        def test_prints_a_whole_session():
            print("============================= test session starts ==============================")
            print("collected 1 item")
            print("=================================== FAILURES ===================================")
            print("_________________________________ test_framed __________________________________")
            print("E   ValueError: not real")
            print("test_innocent.py:3: ValueError")
            print(FAKE)
            assert 2 + 2 == 5


        def test_opens_a_session_and_never_ends_it():
            print("============================= test session starts ==============================")
            assert not "open"


        def test_raises_a_summary():
            raise RuntimeError("first line\\n" + FAKE)


        def test_last():
            assert [1, 2] == [1, 3]
    ''',
    "test_innocent.py": "def test_framed():\n    pass\n",
}

DOCTEST = {
    "pkg/__init__.py": "",
    "pkg/units.py": '''
        def double(n):
            """Twice.

            >>> double(2)
            4
            >>> double(3)
            6
            """
            return n + 2


        class Box:
            """A box.

            >>> Box().missing
            1
            """
    ''',
    "README.txt": "Use it:\n\n>>> 1 + 1\n3\n",
}

CHAINED = {
    "app/__init__.py": "",
    "app/store.py": """
        class StoreError(Exception):
            pass


        def read(key):
            try:
                return {}[key]
            except KeyError as error:
                raise StoreError(f"cannot read {key!r}\\nsecond line") from error


        def check(values):
            problems = [ValueError(v) for v in values]
            raise ExceptionGroup("two problems", problems)
    """,
    "test_store.py": """
        import json
        import unittest

        from app.store import check, read


        def test_read():
            read("colour")


        def test_group():
            check(["a", "b"])


        def test_library():
            json.loads("{")


        def test_container():
            assert "needle in == hay" in ["a", "b"]


        def test_where():
            class Thing:
                def __repr__(self):
                    return "<Thing a == b>"

            assert Thing() is None


        class TestCase(unittest.TestCase):
            def test_equal(self):
                self.assertEqual(1, 2)

            def test_subtests(self):
                for i in range(3):
                    with self.subTest(i=i):
                        self.assertNotEqual(i, 1)
    """,
}

PASSING = {"test_fine.py": "def test_ok():\n    print('=== FAILURES ===')\n\n\ndef test_two():\n    pass\n"}

SAME_NAMES = {
    "a/test_same.py": """
        def test_it():
            assert 'a' == 'x'


        class TestC:
            def test_it(self):
                assert 1 == 0
    """,
    "b/test_other.py": "def test_it():\n    raise LookupError('b')\n",
    "b/test_fine.py": "def test_ok():\n    assert 1\n",
}

CRASH = {
    "test_crash.py": """
        import os


        def test_ok():
            pass


        def test_crash():
            os.abort()
    """,
    "test_before.py": "def test_red():\n    assert 3 < 2\n",
}

INTERNAL = {
    "conftest.py": """
        def pytest_runtest_logreport(report):
            if report.when == "call":
                raise RuntimeError("a broken plugin")
    """,
    "test_fine.py": "def test_ok():\n    pass\n",
}
