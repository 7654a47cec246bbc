import pytest

from parcels import base_price


@pytest.mark.parametrize(
    ("grams", "cents"),
    [(1, 390), (500, 390), (501, 550), (1999, 550), (2001, 790), (5000, 790), (5001, 1050), (10000, 1050)],
)
def test_limits_of_bands(grams, cents):
    assert base_price(grams) == cents
