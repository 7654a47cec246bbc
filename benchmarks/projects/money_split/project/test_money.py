from decimal import Decimal

import pytest

from money import split, to_cents, total, with_tax


@pytest.mark.parametrize(
    ("amount", "rounded"),
    [("1.234", "1.23"), ("1.236", "1.24"), ("2.5", "2.50"), ("0.125", "0.13"), ("-0.125", "-0.13")],
)
def test_rounding(amount, rounded):
    assert to_cents(amount) == Decimal(rounded)


def test_tax():
    assert with_tax("10.00", "19") == Decimal("11.90")


def test_split_spreads_the_rest():
    assert split("10.00", 3) == [Decimal("3.34"), Decimal("3.33"), Decimal("3.33")]


def test_split_needs_parts():
    with pytest.raises(ValueError, match="at least one"):
        split("1", 0)


def test_total():
    assert total(["0.10", "0.20"]) == Decimal("0.30")
