import json
from decimal import Decimal

import pytest

from orderimport import import_orders
from orderimport.parsing import BadOrder, parse_order


def raw(number, amount=10, country="at", **more):
    return {
        "orderNumber": number,
        "amount": amount,
        "address": {"city": "Graz", "countryCode": country},
        **more,
    }


def test_order():
    order = parse_order(raw(7, "19.90", express=1))
    assert (order.number, order.amount, order.country, order.express) == ("7", Decimal("19.90"), "AT", True)


def test_missing():
    with pytest.raises(BadOrder, match="amount is missing"):
        parse_order({"orderNumber": 1})


def test_no_number():
    with pytest.raises(BadOrder, match="no number"):
        parse_order(raw(1, "ten"))


def test_nothing():
    assert import_orders("[]").total == 0


def test_import():
    report = import_orders(json.dumps([raw(1), raw(2, "x"), raw(1), raw(3, 0)]))
    assert report.by_country() == {"AT": 10}
    assert report.repeated == 1
    assert report.errors == ["2: the amount is no number", "4: the amount is not positive"]


def test_missing_does_not_stop():
    assert import_orders('[{"amount": 1}]').errors == ["1: orderNumber is missing"]
