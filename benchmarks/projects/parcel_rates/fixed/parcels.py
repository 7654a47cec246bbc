"""What sending a parcel costs, in cents."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Band:
    max_grams: int
    price: int


BANDS = (Band(500, 390), Band(2000, 550), Band(5000, 790), Band(10000, 1050))
ISLANDS = {"27498", "18565"}


class TooHeavy(ValueError):
    pass


def base_price(grams):
    if grams <= 0:
        raise ValueError("a parcel weighs something")
    price = None
    for band in BANDS:
        if grams <= band.max_grams:
            price = band.price
            break
    if price is None:
        raise TooHeavy(f"{grams} g")
    return price


def price(grams, postcode="", insured=0):
    """Insurance is one percent of the value, 100 at least; islands cost 400 more."""
    total = base_price(grams)
    if insured:
        total += max(100, insured // 100)
    if postcode in ISLANDS:
        total += 400
    return total


def cheapest_split(grams, parcels):
    """The price of the weight in so many parcels of about equal weight."""
    share, rest = divmod(grams, parcels)
    return sum(price(share + (1 if number < rest else 0)) for number in range(parcels))
