"""What a stay in the car park costs, in cents."""

import math

FREE_MINUTES = 20
QUARTER = 15
PER_QUARTER = 50
DAY_LIMIT = 1200


def price(minutes):
    """The first minutes are free; after them each quarter of an hour begun is charged, up to the day's limit."""
    if minutes <= QUARTER:
        return 0
    return min(math.ceil(minutes / QUARTER) * PER_QUARTER, DAY_LIMIT)
