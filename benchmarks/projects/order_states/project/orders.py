"""The life of an order."""

from enum import Enum


class State(Enum):
    CART = "cart"
    PLACED = "placed"
    PAID = "paid"
    SHIPPED = "shipped"
    CANCELLED = "cancelled"
    REFUNDED = "refunded"


TRANSITIONS = {
    (State.CART, "place"): State.PLACED,
    (State.CART, "cancel"): State.CANCELLED,
    (State.PLACED, "pay"): State.PAID,
    (State.PLACED, "cancel"): State.CANCELLED,
    (State.PAID, "ship"): State.SHIPPED,
    (State.PAID, "cancel"): State.CANCELLED,
    (State.SHIPPED, "return"): State.REFUNDED,
}


class IllegalTransition(Exception):
    pass


class Order:
    def __init__(self, amount):
        self.amount = amount
        self.state = State.CART
        self.received = 0
        self.history = [State.CART]

    def apply(self, event):
        try:
            following = TRANSITIONS[self.state, event]
        except KeyError:
            raise IllegalTransition(f"{event} while {self.state.value}") from None
        if event == "pay":
            self.received += self.amount
        if following is State.REFUNDED:
            self.received -= self.amount
        self.state = following
        self.history.append(following)
        return self

    def possible(self):
        return sorted(event for state, event in TRANSITIONS if state is self.state)
