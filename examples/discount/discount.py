"""Discounts for regular customers."""

THRESHOLD = 100


def discount_rate(total):
    """Ten percent from 100 on, five percent from 50 on."""
    if total > THRESHOLD:
        return 0.10
    if total >= THRESHOLD / 2:
        return 0.05
    return 0.0


def discounted(total):
    return round(total * (1 - discount_rate(total)), 2)
