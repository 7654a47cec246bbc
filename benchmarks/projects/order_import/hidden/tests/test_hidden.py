import json

import pytest

from orderimport import import_orders
from orderimport.parsing import BadOrder, parse_order


def test_order_of_the_keys():
    raw = {
        "orderNumber": "A",
        "amount": 5,
        "address": {"countryCode": "ie", "city": "Cork", "country": "Ireland"},
    }
    assert parse_order(raw).country == "IE"


def test_missing_country_code():
    with pytest.raises(BadOrder, match="countryCode is missing"):
        parse_order({"orderNumber": 1, "amount": 1, "address": {"country": "Austria"}})


def test_countries():
    orders = [
        {"orderNumber": number, "amount": "1.50", "address": {"countryCode": code}}
        for number, code in enumerate(["de", "DE", "fr"])
    ]
    assert {key: str(total) for key, total in import_orders(json.dumps(orders)).by_country().items()} == {
        "DE": "3.00",
        "FR": "1.50",
    }


@pytest.mark.parametrize("amount", ["", "1,5", "€ 3", None])
def test_amounts(amount):
    with pytest.raises(BadOrder, match="no number"):
        parse_order({"orderNumber": 1, "amount": amount, "address": {"countryCode": "at"}})
