from datetime import date

import pytest

from periods import add_months, period, period_of


@pytest.mark.parametrize(
    ("start", "months", "end"),
    [
        (date(2025, 11, 30), 1, date(2025, 12, 30)),
        (date(2025, 12, 31), 14, date(2027, 2, 28)),
        (date(2025, 1, 1), 36, date(2028, 1, 1)),
        (date(2025, 3, 31), -1, date(2025, 2, 28)),
        (date(2025, 6, 30), 0, date(2025, 6, 30)),
    ],
)
def test_months(start, months, end):
    assert add_months(start, months) == end


def test_long_contract():
    assert period(date(2024, 1, 31), 13) == (date(2025, 2, 28), date(2025, 3, 30))
    assert period_of(date(2024, 1, 31), date(2026, 3, 1)) == 25
