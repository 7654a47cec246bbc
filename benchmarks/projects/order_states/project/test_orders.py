import pytest

from orders import IllegalTransition, Order, State


def order_after(*events):
    order = Order(40)
    for event in events:
        order.apply(event)
    return order


@pytest.mark.parametrize(
    ("events", "state"),
    [
        (["place"], State.PLACED),
        (["cancel"], State.CANCELLED),
        (["place", "pay", "ship"], State.SHIPPED),
        (["place", "pay", "ship", "return"], State.REFUNDED),
    ],
)
def test_ways(events, state):
    assert order_after(*events).state is state


def test_cancelling_what_was_paid_gives_the_money_back():
    order = order_after("place", "pay", "cancel")
    assert order.received == 0


def test_shipped_orders_are_not_cancelled():
    with pytest.raises(IllegalTransition, match="cancel while shipped"):
        order_after("place", "pay", "ship", "cancel")


def test_possible():
    assert order_after("place", "pay").possible() == ["cancel", "ship"]


def test_history():
    assert order_after("place", "cancel").history == [State.CART, State.PLACED, State.CANCELLED]
