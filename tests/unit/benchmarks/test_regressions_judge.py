"""A patch of a regression is judged beside the known version, in one environment."""

from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from every_case import every_case
from fakes.testbed import FakeTestbed, FakeTestbeds

from benchmarks.regressions import judge
from bot.config import sources

SHOP = "def total(a, b):\n    return a {} b\n\n\ndef half(a):\n    return a {} 2\n"
WRONG, RIGHT = SHOP.format("-", "/"), SHOP.format("+", "/")
TESTS = (
    "from shop import half, total\n\n\ndef test_total():\n    assert total(1, 2) == 3\n\n\n"
    "def test_half():\n    assert half(4) == 2\n\n\ndef test_elsewhere():\n    import absent_module\n"
)
FILES = {"shop.py": WRONG, "test_shop.py": TESTS}
SHOWN = "test_shop.py::test_total"


@pytest.fixture
def judged(monkeypatch, tmp_path):
    """Whether a version of ``shop.py`` is as good as the right one."""

    @contextmanager
    def prepared(_settings, _snapshot):
        yield SimpleNamespace(beds=FakeTestbeds(lambda _number: FakeTestbed(FILES)))

    monkeypatch.setattr(judge, "prepared", prepared)
    as_good = judge.AsGoodAs(reference={"shop.py": RIGHT.encode()})
    settings = sources.load({"project": tmp_path})

    def ask(code, *tests):
        return as_good(settings, None, changes={"shop.py": code.encode()}, tests=frozenset(tests))

    return ask


@every_case(
    ("code", "tests", "expected"),
    [
        (RIGHT, [SHOWN], True),  # what fails with the known version as well decides nothing
        (RIGHT.replace("a + b", "b + a"), [SHOWN], True),
        (WRONG, [], False),
        (SHOP.format("+", "*"), [SHOWN], False),
        (RIGHT, ["test_shop.py::test_elsewhere"], False),
        (RIGHT, ["test_shop.py"], True),
    ],
)
def test_every_test_that_the_known_version_passes_decides(judged, code, tests, expected):
    assert judged(code, *tests) is expected
