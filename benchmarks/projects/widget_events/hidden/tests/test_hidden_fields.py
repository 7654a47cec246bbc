import pytest

from widgets.fields import Field
from widgets.mixins import Named, Validated


def test_names():
    assert Field(name="age").name == "age"
    assert Field().name == "field"


def test_unknown_argument():
    with pytest.raises(TypeError):
        Field(1, colour="red")


def test_other_mixtures():
    class Plain(Validated, Named):
        pass

    plain = Plain(name="p", check=bool)
    assert (plain.name, plain.is_valid(0)) == ("p", False)
    assert not hasattr(plain, "_observers")
