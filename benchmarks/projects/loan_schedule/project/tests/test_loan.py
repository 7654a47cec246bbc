from decimal import Decimal

import pytest

from loans import Loan


@pytest.fixture
def loan():
    return Loan(Decimal(1000), Decimal(9), 4)


def test_payment(loan):
    assert loan.payment == Decimal("254.71")


def test_number_of_instalments(loan):
    assert [each.number for each in loan.schedule()] == [1, 2, 3, 4]


def test_first(loan):
    first = next(loan.schedule())
    assert (first.interest, first.rest) == (Decimal("7.50"), Decimal("752.79"))


def test_nothing_is_left(loan):
    assert list(loan.schedule())[-1].rest == 0


def test_last_payment(loan):
    assert list(loan.schedule())[-1].payment == Decimal("254.70")


def test_without_interest():
    assert Loan(Decimal(900), Decimal(0), 3).payment == 300


def test_total_interest(loan):
    assert loan.total_interest() == Decimal("18.83")
