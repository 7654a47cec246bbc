import pytest

from measures import IncompatibleUnits, Quantity

parse = Quantity.parse


def test_parse():
    assert str(parse(" 3.50 km")) == "3.5 km"


def test_same_unit():
    assert str(parse("4 m").to("m")) == "4 m"


def test_larger_to_smaller():
    assert str(parse("3 km").to("m")) == "3000 m"


def test_smaller_to_larger():
    assert str(parse("250 g").to("kg")) == "0.25 kg"


def test_sum():
    assert str(parse("1 m") + parse("20 cm")) == "1.2 m"


def test_order():
    assert parse("90 cm") < parse("1 m")


def test_kinds_do_not_mix():
    with pytest.raises(IncompatibleUnits, match="kg is no length"):
        parse("1 m") + parse("1 kg")
