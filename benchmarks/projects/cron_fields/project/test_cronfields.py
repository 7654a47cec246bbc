from datetime import datetime

import pytest

from cronfields import expand, next_run


@pytest.mark.parametrize(
    ("text", "low", "high", "numbers"),
    [
        ("7", 0, 59, {7}),
        ("1,3", 0, 59, {1, 3}),
        ("2-5", 0, 6, {2, 3, 4, 5}),
        ("*/15", 0, 59, {0, 15, 30, 45}),
        ("*", 0, 6, {0, 1, 2, 3, 4, 5, 6}),
        ("10-20/5", 0, 59, {10, 15, 20}),
    ],
)
def test_expand(text, low, high, numbers):
    assert expand(text, low, high) == numbers


@pytest.mark.parametrize("text", ["60", "5-1", "*/0", "x"])
def test_nonsense(text):
    with pytest.raises(ValueError):
        expand(text, 0, 59)


def test_next_run():
    assert next_run("30 4 * * *", "2026-02-03 05:00") == datetime(2026, 2, 4, 4, 30)


def test_weekend():
    assert next_run("0 9 * * 0,6", "2026-02-04 10:00") == datetime(2026, 2, 7, 9, 0)


def test_fields():
    with pytest.raises(ValueError, match="five fields"):
        next_run("* *", "2026-02-03 05:00")
