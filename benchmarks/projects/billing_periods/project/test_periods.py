from datetime import date

import pytest

from periods import add_months, period, period_of


def test_within_a_year():
    assert add_months(date(2025, 3, 15), 2) == date(2025, 5, 15)


def test_into_the_next_year():
    assert add_months(date(2025, 11, 3), 3) == date(2026, 2, 3)


def test_shorter_month():
    assert add_months(date(2025, 1, 31), 1) == date(2025, 2, 28)
    assert add_months(date(2024, 1, 31), 1) == date(2024, 2, 29)


def test_period():
    assert period(date(2025, 4, 10), 1) == (date(2025, 5, 10), date(2025, 6, 9))


def test_period_of():
    assert period_of(date(2025, 4, 10), date(2025, 6, 9)) == 1


def test_before_the_contract():
    with pytest.raises(ValueError, match="before the contract"):
        period_of(date(2025, 4, 10), date(2025, 4, 9))
