"""Orders of the shop's export."""

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation


class BadOrder(ValueError):
    pass


@dataclass(frozen=True)
class Order:
    number: str
    amount: Decimal
    country: str
    express: bool = False


def parse_order(raw):
    """An order of a JSON object with orderNumber, amount, address.countryCode and, perhaps, express."""
    try:
        number = str(raw["orderNumber"])
        amount = Decimal(str(raw["amount"]))
        country = raw["address"]["countryCode"].upper()
    except KeyError as error:
        raise BadOrder(f"{error.args[0]} is missing") from error
    except InvalidOperation as error:
        raise BadOrder("the amount is no number") from error
    if amount <= 0:
        raise BadOrder("the amount is not positive")
    return Order(number, amount, country, bool(raw.get("express", False)))
