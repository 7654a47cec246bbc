from decimal import Decimal

import pytest

from billing import Invoice


@pytest.fixture
def invoice():
    invoice = Invoice()
    invoice.add("desk", 1, "200.00")
    invoice.add("book", 2, "15.00", tax_percent=10)
    return invoice


def test_empty():
    assert Invoice(discount_percent=5).gross == 0


def test_net(invoice):
    assert invoice.net == Decimal("230.00")


def test_tax_by_position(invoice):
    assert invoice.tax == Decimal("43.00")


def test_discounted_net(invoice):
    invoice.discount_percent = 10
    assert invoice.net == Decimal("207.00")


def test_tax_on_what_is_paid(invoice):
    invoice.discount_percent = 10
    assert invoice.tax == Decimal("38.70")


def test_gross(invoice):
    invoice.discount_percent = 50
    assert invoice.gross == Decimal("136.50")
