"""Intervals, quantiles and the paired test, against values from tables."""

import math
import statistics

import pytest
from every_case import every_case
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.reports.shares import Share, mcnemar, quantile


@every_case(
    ("count", "total", "low", "high"), [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0)]
)
def test_the_interval_of_wilson(count, total, low, high):
    assert Share(count=count, total=total).interval == pytest.approx((low, high), abs=1e-4)


@given(st.integers(1, 500).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total))))
def test_a_bound_is_a_share_from_which_the_seen_one_is_1_96_standard_errors_away(counts):
    share = Share(count=counts[0], total=counts[1])
    for bound in share.interval:
        error = math.sqrt(bound * (1 - bound) / share.total)
        assert abs(share.value - bound) == pytest.approx(1.959964 * error, abs=1e-6)


def test_a_share_lies_within_its_bounds_whatever_rounding_does_and_that_of_nothing_says_nothing():
    for total in range(1, 60):
        for count in (0, 1, total - 1, total):
            share = Share(count=count, total=total)
            low, high = share.interval
            assert 0 <= low <= share.value <= high <= 1
    assert Share(count=0, total=0).value == 0
    assert Share(count=0, total=0).interval == (0.0, 1.0)
    assert str(Share(count=1, total=2)) == "1/2 = 0.500 [0.095, 0.905]"


@given(st.lists(st.floats(-1e6, 1e6), min_size=1))
def test_quantiles(values):
    assert quantile(values, 0.5) == pytest.approx(statistics.median(values))
    assert quantile(values, 0.0) == min(values)
    assert quantile(values, 1.0) == max(values)
    assert quantile([], 0.5) is None


@every_case(
    ("gained", "lost", "p"), [(0, 0, 1.0), (1, 1, 1.0), (6, 0, 0.03125), (0, 6, 0.03125), (8, 2, 0.109375)]
)
def test_the_exact_test_of_mcnemar(gained, lost, p):
    assert mcnemar(gained, lost) == pytest.approx(p)
