import pytest

from labels import centred, label, wrap


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("", 5, []),
        ("one", 5, ["one"]),
        ("a bb ccc", 20, ["a bb ccc"]),
        ("fresh milk", 9, ["fresh", "milk"]),
        ("extraordinary", 5, ["extra", "ordin", "ary"]),
        ("  many   spaces ", 6, ["many", "spaces"]),
    ],
)
def test_wrap(text, width, lines):
    assert wrap(text, width) == lines


def test_no_width():
    with pytest.raises(ValueError, match="one character wide"):
        wrap("x", 0)


def test_centred():
    assert centred("ab", 6) == ["  ab"]


def test_label():
    assert label("one two six", 5, 2) == ["one", "two…"]
