import pytest

from stockroom import Item, Stock
from stockroom.stock import UnknownItem


@pytest.fixture
def stock():
    stock = Stock()
    stock.add(Item("screw", count=40, reorder_level=20, pack_size=50))
    stock.add(Item("bolt", count=8, reorder_level=5, pack_size=2))
    return stock


def test_nothing_to_order_while_there_is_plenty(stock):
    assert stock.to_order() == []


def test_taking_lowers_the_count(stock):
    assert stock.take("screw", 15) == 25


def test_order_below_the_level(stock):
    stock.take("bolt", 6)
    assert stock.to_order() == [("bolt", 2)]


def test_order_at_the_level(stock):
    stock.take("bolt", 3)
    assert stock.to_order() == [("bolt", 1)]


def test_cannot_take_more_than_there_is(stock):
    with pytest.raises(ValueError, match="only 8 of bolt"):
        stock.take("bolt", 9)


def test_unknown_article(stock):
    with pytest.raises(UnknownItem):
        stock.take("nut", 1)
