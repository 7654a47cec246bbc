import pytest

from pagebuilder import Builder, Element


def test_text_is_escaped():
    builder = Builder("div")
    builder.add("p", "1 < 2")
    assert str(builder) == "<div><p>1 &lt; 2</p></div>"


def test_nesting():
    builder = Builder("ul")
    with builder.within("li"):
        builder.add("b", "x")
    builder.add("li", "y")
    assert str(builder) == "<ul><li><b>x</b></li><li>y</li></ul>"


def test_attributes():
    assert (
        str(Element("a", href="/?a&b", class_="big", data_id="7"))
        == '<a href="/?a&amp;b" class="big" data-id="7"></a>'
    )


def test_true_and_none():
    assert str(Element("input", checked=True, value=None)) == "<input checked>"


def test_zero():
    assert str(Element("td", tabindex=0)) == '<td tabindex="0"></td>'


def test_void():
    with pytest.raises(ValueError, match="<br> holds nothing"):
        Element("br").append("x")
