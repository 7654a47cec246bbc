import pytest

from durations import format_duration, parse, total


@pytest.mark.parametrize(
    ("text", "seconds"), [("90s", 90), ("1h 30m", 5400), ("2D", 172800), (" 1h5s ", 3605)]
)
def test_parse(text, seconds):
    assert parse(text) == seconds


@pytest.mark.parametrize("text", ["", "h", "5x", "1h later", "30m 1h", "1h 1h"])
def test_no_duration(text):
    with pytest.raises(ValueError):
        parse(text)


def test_total():
    assert total(["45m", "900", "1h"]) == "2h"


@pytest.mark.parametrize(("seconds", "text"), [(0, "0s"), (3661, "1h 1m 1s"), (172800, "2d")])
def test_format(seconds, text):
    assert format_duration(seconds) == text
