import pytest

from labels import label, wrap


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("fresh milk", 10, ["fresh milk"]),
        ("a b c d", 3, ["a b", "c d"]),
        ("aa bb", 4, ["aa", "bb"]),
        ("a b", 2, ["a", "b"]),
        ("abcdef g", 4, ["abcd", "ef g"]),
        ("x y", 1, ["x", "y"]),
    ],
)
def test_wrap(text, width, lines):
    assert wrap(text, width) == lines


def test_label_that_just_fits():
    assert label("red hot tea", 7, 2) == ["red hot", "tea"]
