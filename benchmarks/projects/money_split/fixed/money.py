"""Amounts of money, to the cent."""

import decimal
from decimal import Decimal

CENT = Decimal("0.01")
ROUNDING = decimal.ROUND_HALF_UP


def to_cents(amount):
    """The amount rounded to the cent, half a cent away from zero, as the tax office wants it."""
    return Decimal(amount).quantize(CENT, rounding=ROUNDING)


def with_tax(net, percent):
    return to_cents(Decimal(net) * (100 + Decimal(percent)) / 100)


def split(amount, parts):
    """Shares that differ by a cent at most and add up to the amount; the first ones are larger."""
    if parts < 1:
        raise ValueError("at least one part")
    cents = int(to_cents(amount) * 100)
    share, rest = divmod(cents, parts)
    return [Decimal(share + (1 if place < rest else 0)) * CENT for place in range(parts)]


def total(amounts):
    return sum((to_cents(amount) for amount in amounts), Decimal(0))
