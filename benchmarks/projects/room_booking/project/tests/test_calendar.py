from datetime import datetime

import pytest

from rooms import Calendar, Taken


def at(hour, minute=0):
    return datetime(2026, 9, 1, hour, minute)


@pytest.fixture
def calendar():
    calendar = Calendar(["red", "blue"])
    calendar.book("red", at(9), at(10), "Ann")
    return calendar


def test_taken(calendar):
    with pytest.raises(Taken, match="red is taken by Ann"):
        calendar.book("red", at(9, 30), at(11))


def test_later(calendar):
    calendar.book("red", at(14), at(15))
    assert len(calendar.bookings) == 2


def test_right_after(calendar):
    calendar.book("red", at(10), at(11))
    assert len(calendar.bookings) == 2


def test_other_room(calendar):
    calendar.book("blue", at(9), at(10))


def test_free_rooms(calendar):
    assert calendar.free_rooms(at(9), at(12)) == ["blue"]


def test_backwards(calendar):
    with pytest.raises(ValueError, match="ends after"):
        calendar.book("blue", at(10), at(10))


def test_unknown_room(calendar):
    with pytest.raises(KeyError):
        calendar.book("green", at(9), at(10))
