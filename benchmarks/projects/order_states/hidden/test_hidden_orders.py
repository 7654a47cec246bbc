from orders import Order, State


def test_paid_and_cancelled_is_refunded():
    order = Order(10).apply("place").apply("pay").apply("cancel")
    assert (order.state, order.received) == (State.REFUNDED, 0)
    assert order.possible() == []


def test_unpaid_and_cancelled_owes_nothing():
    for events in (["cancel"], ["place", "cancel"]):
        order = Order(10)
        for event in events:
            order.apply(event)
        assert (order.state, order.received) == (State.CANCELLED, 0)


def test_paid_is_kept():
    assert Order(10).apply("place").apply("pay").apply("ship").received == 10
