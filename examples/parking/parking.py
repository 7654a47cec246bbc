"""What a stay in the car park costs, in cents."""

import math

FREE_MINUTES = 15
PER_HOUR = 200
DAY_LIMIT = 1200


def price(minutes):
    """The first quarter of an hour is free; after it each hour begun is charged, up to the day's limit."""
    if minutes <= FREE_MINUTES:
        return 0
    hours = math.floor(minutes / 60)
    return min(hours * PER_HOUR, DAY_LIMIT)
