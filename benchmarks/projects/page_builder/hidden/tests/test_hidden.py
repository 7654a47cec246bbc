import pytest

from pagebuilder import Builder, Element


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("", '<img alt="">'),
        (False, "<img>"),
        (None, "<img>"),
        (0, '<img alt="0">'),
        (0.0, '<img alt="0.0">'),
        (True, "<img alt>"),
        (1, '<img alt="1">'),
    ],
)
def test_values(value, text):
    assert str(Element("img", alt=value)) == text


def test_within_leaves_on_errors():
    builder = Builder("a")
    with pytest.raises(KeyError), builder.within("b"):
        raise KeyError
    builder.add("c")
    assert str(builder) == "<a><b></b><c></c></a>"
