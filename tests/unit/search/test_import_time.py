"""Statements that ran at import are found by what failing tests and suspicious lines read."""

import pytest
from every_case import every_case

from bot.domain import Suspicion
from bot.search.import_time import SHARE, read_at_import
from sandbox.reports import TestResult, TestStatus

LIMITS = '''"""Limits."""
from . import units

FEW = 5
TABLE = {"guest": FEW, "kilo": units.KILO}
OTHER = 7
if FEW:
    LATE = 1
'''
OPTIONS = """from shop import limits
from shop.base import Base
import shop.limits as names


class Options(Base):
    retries: int = 2
    strict: bool = True
    timeout = limits.FEW

    def wait(self):
        return self.pause * names.LATE
"""
SOURCES = {
    "src/shop/__init__.py": "from .options import Options\n",
    "src/shop/units.py": "KILO = 1000\nMEGA = 1000 * KILO\n",
    "src/shop/limits.py": LIMITS,
    "src/shop/base.py": "class Base:\n    pause = 3\n    name = ''\n",
    "src/shop/options.py": OPTIONS,
}


def found(test, *lines, name="test_it"):
    sources = {**SOURCES, "tests/test_it.py": test}
    failing = TestResult(test=f"tests/test_it.py::{name}", status=TestStatus.FAILED)
    suspicions = [Suspicion(path=path, line=line, score=score) for path, line, score in lines]
    read = read_at_import([failing], suspicions, sources, lambda path: path.startswith("src/"))
    return {(one.path.rpartition("/")[2], one.line): one.score for one in read}


@every_case(
    ("test", "lines"),
    [
        ("from shop.limits import FEW\ndef test_it(): assert FEW == 6", {("limits.py", 4)}),
        ("from shop import limits\ndef test_it(): assert limits.FEW == 6", {("limits.py", 4)}),
        ("from shop import limits as x\ndef test_it(): assert x.OTHER", {("limits.py", 6)}),
        ("import shop.limits\ndef test_it(): assert shop.limits.LATE", {("limits.py", 8)}),
        (
            "from shop.limits import TABLE\ndef test_it(): TABLE['kilo']",
            {("limits.py", 4), ("limits.py", 5), ("units.py", 1)},
        ),
        (
            "from shop import Options\ndef test_it(): assert Options.retries",
            {("options.py", 7)},
        ),
        (
            "from shop.options import Options\ndef test_it(): Options().retries",
            {("options.py", 7), ("options.py", 8), ("options.py", 9), ("limits.py", 4), ("base.py", 2)}
            | {("base.py", 3)},
        ),
        (
            "from shop import base\ndef test_it(): assert getattr(base, 'Ba' + 'se')",
            {("base.py", 2), ("base.py", 3)},
        ),
        ("from shop import Options\ndef test_it(): assert Options.pause", {("base.py", 2)}),
        ("from shop.limits import FEW\ndef few(): return FEW\ndef test_it(): few()", {("limits.py", 4)}),
        ("from shop.limits import FEW\nN = FEW\ndef test_it(): assert N", {("limits.py", 4)}),
        ("from os import path\ndef test_it(): assert path.sep", set()),
        ("from nowhere.at import all\ndef test_it(): assert all.of", set()),
        ("from shop.limits import FEW\ndef test_other(): assert FEW", set()),
        ("def broken(", set()),
    ],
)
def test_what_a_failing_test_reads_is_followed_to_where_it_is_bound(test, lines):
    assert set(found(test)) == lines


def test_the_methods_of_a_test_class_are_prepared_by_its_set_up():
    text = (
        "from shop import limits\nclass TestIt:\n    def setUp(self): self.x = limits.FEW\n"
        "    def test_it(self): assert self.x\n    def test_b(self): assert limits.OTHER\n"
    )
    assert set(found(text, name="TestIt::test_it")) == {("limits.py", 4)}


def test_a_suspicious_line_leads_to_other_files_and_to_the_classes_above():
    line = ("src/shop/options.py", 12, 0.8)
    read = found("def test_it(): pass", line)
    assert read == pytest.approx({("base.py", 2): 0.8 * SHARE, ("limits.py", 8): 0.8 * SHARE})


def test_the_highest_score_is_one_where_nothing_else_is_suspicious():
    read = found("from shop.limits import TABLE\ndef test_it(): TABLE")
    assert read["limits.py", 5] == 1.0
    assert read["limits.py", 4] == SHARE


def test_names_that_are_bound_by_each_other_end():
    sources = {
        "a.py": "from b import X\nY = X\n",
        "b.py": "from a import Y\nX = Y\n",
        "test_it.py": "from a import Y\ndef test_it(): assert Y\n",
    }
    failing = TestResult(test="test_it.py::test_it", status=TestStatus.FAILED)
    read = read_at_import([failing], (), sources, lambda path: path != "test_it.py")
    assert {(one.path, one.line) for one in read} == {("a.py", 2), ("b.py", 2)}


def test_what_runs_while_a_class_is_made_is_found():
    model = """class Model:
    def __init_subclass__(cls):
        fields = cls.fields
        fields.update(vars(cls))

    def other(self):
        return 1
"""
    sources = {"src/m.py": model, "tests/test_it.py": "from m import Model\ndef test_it(): Model()\n"}
    failing = TestResult(test="tests/test_it.py::test_it", status=TestStatus.FAILED)
    read = read_at_import([failing], [], sources, lambda path: path.startswith("src/"))
    assert {one.line for one in read} == {3, 4}
