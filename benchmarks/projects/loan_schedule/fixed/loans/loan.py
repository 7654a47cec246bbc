"""Loans that are paid back in equal monthly instalments."""

from dataclasses import dataclass
from decimal import Decimal

from .money import cents


@dataclass(frozen=True)
class Instalment:
    number: int
    payment: Decimal
    interest: Decimal
    rest: Decimal


@dataclass(frozen=True)
class Loan:
    amount: Decimal
    yearly_percent: Decimal
    months: int

    @property
    def monthly_rate(self):
        return Decimal(self.yearly_percent) / 1200

    @property
    def payment(self):
        rate = self.monthly_rate
        if not rate:
            return cents(Decimal(self.amount) / self.months)
        return cents(self.amount * rate / (1 - (1 + rate) ** -self.months))

    def schedule(self):
        """Every instalment; the last one is as large as it must be to leave nothing."""
        rest = cents(self.amount)
        for number in range(1, self.months + 1):
            interest = cents(rest * self.monthly_rate)
            payment = self.payment
            if number == self.months:
                payment = rest + interest
            rest = rest + interest - payment
            yield Instalment(number, payment, interest, rest)

    def total_interest(self):
        return sum(each.interest for each in self.schedule())
