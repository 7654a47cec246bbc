from datetime import datetime

import pytest

from cronfields import expand, next_run


@pytest.mark.parametrize(
    ("text", "low", "high", "numbers"),
    [
        ("1-10/3", 0, 59, {1, 4, 7, 10}),
        ("*/5", 1, 31, {1, 6, 11, 16, 21, 26, 31}),
        ("55/2", 0, 59, {55, 57, 59}),
        ("0-0", 0, 6, {0}),
        ("5-6/2", 0, 6, {5}),
        ("22-23", 0, 23, {22, 23}),
    ],
)
def test_expand(text, low, high, numbers):
    assert expand(text, low, high) == numbers


def test_last_day_of_the_year():
    assert next_run("59 23 * * *", "2026-12-31 00:00") == datetime(2026, 12, 31, 23, 59)
    assert next_run("*/59 23 * 12 *", "2026-12-31 23:30") == datetime(2026, 12, 31, 23, 59)
