from datetime import date

import pytest

from deliveries.records import read
from deliveries.stats import by_region, late, mean_days, report

TEXT = """region,ordered,arrived
north,2026-01-01,2026-01-03
north,2026-01-02,2026-01-06
south,2026-01-05,
"""


@pytest.fixture
def deliveries():
    return read(TEXT)


def test_read(deliveries):
    assert deliveries[0].days == 2
    assert deliveries[2].arrived is None


def test_mean(deliveries):
    assert mean_days(deliveries[:2]) == 3


def test_mean_of_what_arrived(deliveries):
    assert mean_days(deliveries) == 3


def test_nothing_yet():
    assert mean_days([]) is None


def test_by_region(deliveries):
    assert by_region(deliveries) == {"north": 3, "south": None}


def test_late(deliveries):
    assert late(deliveries, 3, date(2026, 1, 7)) == deliveries[1:2]


def test_report(deliveries):
    assert report(deliveries) == "north: 3.0 days\nsouth: none yet"
