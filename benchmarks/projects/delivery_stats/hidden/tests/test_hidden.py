from deliveries.records import read
from deliveries.stats import mean_days, report

HEADER = "region,ordered,arrived\n"


def test_same_day():
    deliveries = read(HEADER + "a,2026-01-01,2026-01-01\na,2026-01-01,2026-01-02\na,2026-01-01,\n")
    assert mean_days(deliveries) == 0.5


def test_only_the_same_day():
    assert mean_days(read(HEADER + "a,2026-01-01,2026-01-01\n")) == 0
    assert report(read(HEADER + "a,2026-01-01,2026-01-01\n")) == "a: 0.0 days"


def test_only_open_ones():
    assert report(read(HEADER + "b,2026-01-01,\nb,2026-01-02,\n")) == "b: none yet"
