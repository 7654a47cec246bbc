import pytest

from stockroom import Item, Stock


@pytest.mark.parametrize(
    ("count", "level", "low"),
    [(3, 3, True), (4, 3, False), (0, 0, True), (19, 20, True), (5, 4, False), (20, 20, True)],
)
def test_levels(count, level, low):
    assert Item("x", count=count, reorder_level=level).is_low is low


def test_emptied_without_level():
    stock = Stock()
    stock.add(Item("nail", count=2))
    stock.take("nail", 2)
    assert stock.to_order() == [("nail", 1)]
