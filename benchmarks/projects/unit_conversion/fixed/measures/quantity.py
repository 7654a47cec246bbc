"""Numbers with units."""

from dataclasses import dataclass

from .units import UNITS, Unit


class IncompatibleUnits(TypeError):
    pass


@dataclass(frozen=True)
class Quantity:
    amount: float
    unit: Unit

    @classmethod
    def parse(cls, text):
        """Reads texts such as '3.5 km'."""
        amount, _, symbol = text.strip().partition(" ")
        return cls(float(amount), UNITS[symbol.strip()])

    def to(self, symbol):
        target = UNITS[symbol]
        self._check(target)
        return Quantity(self.amount * self.unit.size / target.size, target)

    def __add__(self, other):
        self._check(other.unit)
        return Quantity(self.amount + other.to(self.unit.symbol).amount, self.unit)

    def __lt__(self, other):
        self._check(other.unit)
        return self.amount * self.unit.size < other.amount * other.unit.size

    def _check(self, unit):
        if unit.kind != self.unit.kind:
            raise IncompatibleUnits(f"{unit.symbol} is no {self.unit.kind}")

    def __str__(self):
        return f"{self.amount:g} {self.unit.symbol}"
