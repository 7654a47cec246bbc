"""What a fix changes in a file of tests, brought into an older version of that file."""

import pytest

from benchmarks.fixes.older_tests import with_changed_tests

BEFORE = """\
import shelf


def test_one():
    assert shelf.holds(1)


class TestShelf:
    def test_two(self):
        assert shelf.holds(2)
"""
OLDER = BEFORE.replace("import shelf\n", "import shelf\nimport old\n").replace("holds(2)", "holds(3)")


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        (("holds(1)", "holds(0)"), ("holds(1)", "holds(0)")),
        (("import shelf\n", "import shelf\nimport new\n"), None),  # no function differs
        (
            ("class TestShelf", "@mark\ndef test_new():\n    pass\n\n\nclass TestShelf"),
            ("holds(3)\n", "holds(3)\n\n\n@mark\ndef test_new():\n    pass\n"),
        ),
        (
            ("holds(2)\n", "holds(2)\n\n    def test_new(self):\n        pass"),
            ("holds(3)\n", "holds(3)\n\n    def test_new(self):\n        pass\n"),
        ),
        (("class TestShelf:", "class TestOther:"), None),  # a class that the older file has not
    ],
)
def test_functions_that_differ_are_brought_over(change, wanted):
    assert with_changed_tests(OLDER, BEFORE, BEFORE.replace(*change)) == (
        OLDER.replace(*wanted) if wanted else None
    )


def test_what_they_import_comes_with_them():
    after = BEFORE.replace("shelf\n", "shelf\nfrom new import x, y\n", 1).replace("holds(1)", "holds(x)")
    wanted = OLDER.replace("import old\n", "import old\nfrom new import x, y\n").replace(
        "holds(1)", "holds(x)"
    )
    assert with_changed_tests(OLDER, BEFORE, after) == wanted


def test_what_does_not_parse_is_left():
    assert with_changed_tests(OLDER, BEFORE, "def (") is None
    assert with_changed_tests("def (", BEFORE, BEFORE.replace("holds(1)", "holds(0)")) is None
