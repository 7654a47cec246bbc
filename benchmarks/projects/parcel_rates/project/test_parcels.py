import pytest

from parcels import TooHeavy, base_price, cheapest_split, price


@pytest.mark.parametrize(("grams", "cents"), [(300, 390), (2000, 550), (9000, 1050)])
def test_base_price(grams, cents):
    assert base_price(grams) == cents


def test_too_heavy():
    with pytest.raises(TooHeavy):
        base_price(10001)


def test_weightless():
    with pytest.raises(ValueError, match="weighs something"):
        base_price(0)


def test_insured():
    assert price(8000, insured=50000) == 1050 + 500
    assert price(8000, insured=1) == 1150


def test_island():
    assert price(6000, "27498") == 1450


def test_split():
    assert cheapest_split(4001, 2) == 790 + 550
