from decimal import Decimal

from billing import Invoice


def test_mixed_rates_with_discount():
    invoice = Invoice(discount_percent=25)
    invoice.add("a", 3, "9.99", 7)
    invoice.add("b", 1, "100", 0)
    assert invoice.net == Decimal("97.48")
    assert invoice.tax == Decimal("1.57")


def test_all_given_away():
    invoice = Invoice(discount_percent=100)
    invoice.add("a", 1, "10")
    assert invoice.gross == 0
