from datetime import datetime

import pytest

from rooms import Booking, Calendar, Taken


def booking(start, end):
    return Booking("r", datetime(2026, 1, 1, start), datetime(2026, 1, 1, end))


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((9, 10), (11, 12), False),
        ((11, 12), (9, 10), False),
        ((9, 10), (10, 11), False),
        ((10, 11), (9, 10), False),
        ((9, 12), (10, 11), True),
        ((10, 11), (9, 12), True),
        ((9, 11), (10, 12), True),
        ((10, 12), (9, 11), True),
        ((9, 10), (9, 10), True),
    ],
)
def test_overlaps(first, second, expected):
    assert booking(*first).overlaps(booking(*second)) is expected


def test_before():
    calendar = Calendar(["r"])
    calendar.book("r", datetime(2026, 1, 1, 12), datetime(2026, 1, 1, 13))
    calendar.book("r", datetime(2026, 1, 1, 8), datetime(2026, 1, 1, 9))
    with pytest.raises(Taken):
        calendar.book("r", datetime(2026, 1, 1, 8), datetime(2026, 1, 1, 9))
