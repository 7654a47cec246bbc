import pytest

from measures import Quantity


@pytest.mark.parametrize(
    ("text", "symbol", "amount"), [("90 cm", "km", 0.0009), ("2 h", "s", 7200), ("2 km", "cm", 200000)]
)
def test_to(text, symbol, amount):
    assert Quantity.parse(text).to(symbol).amount == pytest.approx(amount)


def test_there_and_back():
    assert Quantity.parse("7 h").to("s").to("h").amount == pytest.approx(7)
