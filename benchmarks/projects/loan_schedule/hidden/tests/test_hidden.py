from decimal import Decimal

import pytest

from loans import Loan


@pytest.mark.parametrize(
    ("amount", "percent", "months"),
    [(100, 0, 3), (200, 0, 3), (5000, "3.9", 36), (2500, "7.25", 24), (10, 5, 7), (77, 9, 1)],
)
def test_everything_is_paid_back(amount, percent, months):
    loan = Loan(Decimal(amount), Decimal(percent), months)
    instalments = list(loan.schedule())
    assert len(instalments) == months
    assert instalments[-1].rest == 0
    assert all(each.payment == loan.payment for each in instalments[:-1])
    assert sum(each.payment for each in instalments) == amount + loan.total_interest()
