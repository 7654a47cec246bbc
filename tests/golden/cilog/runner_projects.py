"""Small broken projects for make_runner_logs.py: path in the project → text."""

from __future__ import annotations

MANY = {
    "stock/__init__.py": "",
    "stock/shelf.py": """
        def remaining(items, sold):
            return {name: count - sold.get(name, 0) for name, count in items.items()}


        def label(item):
            return item["name"].title()


        class Shelf:
            def __init__(self, size):
                self.size = size
                self.items = []

            def put(self, item):
                if len(self.items) > self.size:
                    raise ValueError(f"the shelf is full: {self.size}")
                self.items.append(item)
    """,
    "tests/test_shelf.py": """
        import pytest

        from stock.shelf import Shelf, label, remaining


        def test_remaining():
            assert remaining({"tea": 3, "milk": 1}, {"tea": 1}) == {"tea": 2, "milk": 0}


        def test_label():
            assert label({"title": "tea"}) == "Tea"


        def test_text():
            assert "\\n".join(["one", "two", "three"]) == "one\\n2\\nthree"


        def test_full():
            shelf = Shelf(1)
            shelf.put("tea")
            with pytest.raises(ValueError):
                shelf.put("milk")


        def test_close():
            assert 0.1 + 0.2 == pytest.approx(0.4)


        @pytest.mark.parametrize("size", [0, 1])
        def test_sizes(size):
            print("size", size)
            assert Shelf(size).size == 1, "a message"


        @pytest.fixture
        def database():
            raise ConnectionError("no database")


        def test_stored(database):
            pass
    """,
    "tests/test_broken.py": """
        from stock.missing import nothing


        def test_nothing():
            assert nothing
    """,
}

WITHOUT_BROKEN = {path: text for path, text in MANY.items() if "broken" not in path}

SLOW = {
    "test_slow.py": """
        import time


        def test_quick():
            pass


        class TestSlow:
            def test_sleeps(self):
                time.sleep(30)


        def test_red():
            assert [1] == [2]
    """
}

FLAKY = {
    "test_flaky.py": """
        import pathlib


        def test_second_time():
            marker = pathlib.Path("marker")
            if not marker.exists():
                marker.touch()
                assert "first" == "time"


        def test_never():
            assert {"a": 1} == {"a": 2}
    """
}

GROUPS = {
    "work/__init__.py": "",
    "work/jobs.py": """
        def load(name):
            try:
                return {"a": 1}[name]
            except KeyError as error:
                raise LookupError(f"no job {name!r}") from error


        def run(names):
            errors = []
            for name in names:
                try:
                    load(name)
                except LookupError as error:
                    errors.append(error)
            if errors:
                raise ExceptionGroup("some jobs failed", errors)
    """,
    "test_jobs.py": """
        from work.jobs import load, run


        def test_load():
            load("b")


        def test_run():
            run(["a", "b", "c"])


        def test_context():
            try:
                load("z")
            except LookupError:
                int("z")
    """,
}

ARRAYS = {
    "test_arrays.py": """
        from unittest import mock

        import numpy as np


        def test_exact():
            np.testing.assert_array_equal(np.arange(4), np.array([0, 1, 2, 4]))


        def test_nearly():
            np.testing.assert_allclose(np.float64(0.14575), 0.65975, rtol=1e-5)


        def test_called():
            thing = mock.Mock()
            thing.save(1)
            thing.save.assert_called_once_with(2)
    """
}

SEGFAULT = {
    "test_native.py": """
        import ctypes


        def test_fine():
            pass


        class TestNative:
            def test_null(self):
                ctypes.string_at(0)
    """,
    "test_other.py": "def test_other():\n    assert 1 == 2\n",
}

SUBTESTS = {
    "test_parts.py": """
        import unittest


        def test_each(subtests):
            for number in range(4):
                with subtests.test("each", number=number):
                    assert number % 2 == 0


        class TestParts(unittest.TestCase):
            def test_all(self):
                for word in ("tea", "milk"):
                    with self.subTest(word=word):
                        self.assertEqual(len(word), 3)
    """
}

UNITTEST = {
    "bank/__init__.py": "",
    "bank/account.py": """
        class Account:
            def __init__(self, balance=0):
                self.balance = balance

            def withdraw(self, amount):
                if amount > self.balance:
                    raise ValueError("not enough")
                self.balance += amount
                return self.balance
    """,
    "tests/__init__.py": "",
    "tests/test_account.py": '''
        import unittest

        from bank.account import Account


        class TestAccount(unittest.TestCase):
            def test_withdraw(self):
                """Money that was taken is gone."""
                self.assertEqual(Account(5).withdraw(2), 3)

            def test_message(self):
                self.assertEqual(Account(5).balance, 6, "the balance is wrong")

            def test_list(self):
                self.assertEqual([1, 2, 3], [1, 2, 4])

            def test_text(self):
                self.assertEqual("one\\\\ntwo\\\\n", "one\\\\n2\\\\n")

            def test_true(self):
                self.assertTrue(Account().balance)

            def test_member(self):
                self.assertIn("c", ["a", "b"])

            def test_error(self):
                Account(1).withdraw(2)

            def test_chain(self):
                try:
                    Account(1).withdraw(2)
                except ValueError as error:
                    raise RuntimeError("cannot pay") from error

            def test_fine(self):
                self.assertEqual(1, 1)

            def test_parts(self):
                for number in range(3):
                    with self.subTest("part", number=number):
                        self.assertNotEqual(number, 1)

            @unittest.skip("not today")
            def test_skipped(self):
                pass

            @unittest.expectedFailure
            def test_unexpected(self):
                pass


        class TestSetUp(unittest.TestCase):
            def setUp(self):
                self.missing.attribute

            def test_never(self):
                pass


        class TestClass(unittest.TestCase):
            @classmethod
            def setUpClass(cls):
                raise OSError("no server")

            def test_never(self):
                pass


        if __name__ == "__main__":
            unittest.main()
    ''',
    "tests/test_import.py": "import bank.nothing\n",
}

SPOOFED = {
    "test_spoof.py": """
        import unittest

        RULE = "=" * 70 + "\\\\n"
        THIN = "-" * 70 + "\\\\n"
        BLOCK = RULE + "FAIL: test_innocent (test_spoof.TestSpoof)\\\\n" + THIN + (
            "Traceback (most recent call last):\\\\n  File \\"x.py\\", line 1, in f\\\\n"
            "ValueError: not real\\\\n\\\\n"
        )
        FAILED = BLOCK + THIN + "Ran 1 test in 0.001s\\\\n\\\\nFAILED (failures=1)\\\\n"
        PASSED = THIN + "Ran 9 tests in 0.001s\\\\n\\\\nOK\\\\n"


        class TestSpoof(unittest.TestCase):
            def test_a_report(self):
                print(FAILED)
                self.assertEqual(1, 2)

            def test_b_success(self):
                print(PASSED)
                self.assertEqual(3, 4)

            def test_c_block(self):
                print(BLOCK)
                self.fail("real")

            def test_innocent(self):
                pass
    """
}

DJANGO = {
    "manage.py": """
        import os
        import sys

        if __name__ == "__main__":
            os.environ.setdefault("DJANGO_SETTINGS_MODULE", "site_settings")
            from django.core.management import execute_from_command_line

            execute_from_command_line(sys.argv)
    """,
    "site_settings.py": """
        SECRET_KEY = "not secret"
        INSTALLED_APPS = ["shop"]
        DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
        DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
        USE_TZ = True
        ROOT_URLCONF = "shop.urls"
    """,
    "shop/__init__.py": "",
    "shop/urls.py": "urlpatterns = []\n",
    "shop/models.py": """
        from django.db import models


        class Product(models.Model):
            name = models.CharField(max_length=20)
            price = models.IntegerField()

            def discounted(self, percent):
                return self.price - self.price * percent // 10
    """,
    "shop/migrations/__init__.py": "",
    "shop/tests/__init__.py": "",
    "shop/tests/test_models.py": """
        from django.test import SimpleTestCase, TestCase

        from shop.models import Product


        class ProductTests(TestCase):
            def test_discount(self):
                product = Product(name="tea", price=100)
                self.assertEqual(product.discounted(10), 90)

            def test_saved(self):
                Product.objects.get(name="milk")

            def test_fine(self):
                self.assertEqual(Product(name="tea", price=1).price, 1)


        class PageTests(SimpleTestCase):
            def test_page(self):
                self.assertEqual(self.client.get("/missing").status_code, 200)
    """,
}

NOSE = {
    "test_things.py": """
        def test_sum():
            print("some words")
            assert sum([1, 2]) == 4


        def check(left, right):
            assert left == right, "%r is not %r" % (left, right)


        def test_generated():
            for number in (1, 2):
                yield check, number, 1


        class TestThing:
            def setup(self):
                self.value = 3

            def test_value(self):
                raise KeyError("value")
    """,
    "test_unimportable.py": "import no_such_module\n",
}

TRIAL = {
    "test_trial.py": """
        from twisted.trial import unittest


        class TrialTests(unittest.TestCase):
            def test_equal(self):
                self.assertEqual([1, 2], [1, 3])

            def test_raises(self):
                raise RuntimeError("not this time")

            def test_fine(self):
                pass
    """
}

SCRIPTS = {
    "scripts/report.py": """
        from scripts.numbers import ratio

        try:
            ratio(1, 0)
        except ZeroDivisionError as error:
            raise SystemError("no report") from error
    """,
    "scripts/__init__.py": "",
    "scripts/numbers.py": """
        def ratio(left, right):
            '''Divide.

            >>> ratio(1, 2)
            2
            >>> ratio(1, 0)
            1
            '''
            return left / right


        if __name__ == "__main__":
            import doctest

            doctest.testmod()
    """,
    "scripts/grouped.py": """
        def check(values):
            raise ExceptionGroup("two problems", [ValueError(value) for value in values])


        check(["a", "b"])
    """,
    "scripts/wrong.py": "def broken(:\n    pass\n",
}

PLAIN = {
    "pkg/__init__.py": "",
    "pkg/tests.py": """
        import unittest


        class TestPlain(unittest.TestCase):
            def test_equal(self):
                self.assertEqual(1, 2)

            def test_error(self):
                print("some words")
                raise KeyError("k")

            def test_fine(self):
                pass


        class TestSetUp(unittest.TestCase):
            def setUp(self):
                raise OSError("no server")

            def test_never(self):
                pass
    """,
}
