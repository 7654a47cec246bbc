import pytest

from phones import BadNumber, Phone, grouped, parse


@pytest.mark.parametrize(
    ("digits", "text"), [("1234", "1234"), ("12345", "123 45"), ("6641234567", "664 123 4567")]
)
def test_grouped(digits, text):
    assert grouped(digits) == text


def test_from_home():
    assert parse("0664 / 123-4567") == Phone("43", "6641234567")


def test_plus():
    assert parse("+43 (664) 1234567") == Phone("43", "6641234567")


def test_two_zeros():
    assert str(parse("0044 20 7946 0001")) == "+44 207 946 0001"


def test_extension():
    assert parse("01 5123456 x 12").extension == "12"


def test_region():
    assert parse("+44 2079460001").region == "GB"


@pytest.mark.parametrize("text", ["", "+99 1234567", "12a4567", "+43 12"])
def test_bad(text):
    with pytest.raises(BadNumber):
        parse(text)
