from decimal import Decimal

import pytest

from money import to_cents, with_tax


@pytest.mark.parametrize(
    ("amount", "rounded"),
    [
        ("0.025", "0.03"),
        ("0.0251", "0.03"),
        ("0.0249", "0.02"),
        ("7.001", "7.00"),
        ("-2.345", "-2.35"),
        ("0.145", "0.15"),
        ("-0.004", "0"),
    ],
)
def test_half_up(amount, rounded):
    assert to_cents(amount) == Decimal(rounded)


def test_small_tax():
    assert with_tax("0.50", "5") == Decimal("0.53")
    assert with_tax("0.20", "7") == Decimal("0.21")
