from decimal import ROUND_HALF_UP, Decimal


def cents(amount):
    return Decimal(amount).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
