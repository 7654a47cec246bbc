import pytest

from hours import Span, gaps, is_open, merged


def spans(*texts):
    return [Span.parse(text) for text in texts]


def texts(spans):
    return [str(span) for span in spans]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([], []),
        (["14:00-18:00", "9:00-12:00"], ["9:00-12:00", "14:00-18:00"]),
        (["9:00-12:00", "11:00-13:00"], ["9:00-13:00"]),
        (["9:00-12:00", "12:00-15:30"], ["9:00-15:30"]),
        (["8:00-20:00", "9:00-10:00"], ["8:00-20:00"]),
    ],
)
def test_merged(given, expected):
    assert texts(merged(spans(*given))) == expected


def test_gaps():
    assert texts(gaps(spans("9:00-12:00", "13:30-18:00"))) == ["12:00-13:30"]


def test_open():
    assert is_open(spans("9:00-12:00"), "9:00")
    assert not is_open(spans("9:00-12:00"), "12:00")


def test_backwards():
    with pytest.raises(ValueError, match="no span"):
        Span.parse("12:00-9:00")
