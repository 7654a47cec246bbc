"""Invoices with a discount on the whole and tax by position."""

from dataclasses import dataclass, field
from decimal import Decimal

from .rounding import cents


@dataclass(frozen=True)
class Position:
    text: str
    quantity: int
    price: Decimal
    tax_percent: int = 20

    @property
    def net(self):
        return cents(self.quantity * self.price)


@dataclass
class Invoice:
    discount_percent: int = 0
    positions: list = field(default_factory=list)

    def add(self, text, quantity, price, tax_percent=20):
        self.positions.append(Position(text, quantity, Decimal(price), tax_percent))

    def _discounted(self, position):
        return position.net * (100 - self.discount_percent) / 100

    @property
    def net(self):
        return cents(sum((self._discounted(each) for each in self.positions), Decimal(0)))

    @property
    def tax(self):
        total = Decimal(0)
        for position in self.positions:
            discounted = self._discounted(position)
            total += discounted * position.tax_percent / 100
        return cents(total)

    @property
    def gross(self):
        return self.net + self.tax
