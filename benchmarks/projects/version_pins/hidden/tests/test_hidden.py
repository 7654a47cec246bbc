import pytest

from pins import Version, choose


@pytest.mark.parametrize(
    ("lower", "higher"), [("1.99", "1.100"), ("9", "10"), ("2024.9", "2024.12"), ("0.0.9", "0.0.10")]
)
def test_order(lower, higher):
    assert Version(lower) < Version(higher)


def test_leading_zeros():
    assert Version("2024.09") == Version("2024.9")
    assert len({Version("1.02"), Version("1.2")}) == 1


def test_large_numbers():
    assert choose(["1.100", "1.20", "1.3"], "<1.100") == "1.20"
