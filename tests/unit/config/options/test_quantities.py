"""Durations and sizes as people write them."""

import pytest
from every_case import every_case
from hypothesis import given
from hypothesis import strategies as st

from bot.config.options.quantities import seconds, show_bytes, show_seconds, size_bytes

GIB, MIB = 1024**3, 1024**2


@every_case(
    ("text", "value"),
    [
        ("90", 90),
        ("90s", 90),
        ("1.5m", 90),
        ("10 min", 600),
        ("2H", 7200),
        ("1d", 86_400),
        ("250ms", 0.25),
        ("0.1", 0.1),
        (" 5s ", 5),
    ],
)
def test_durations(text, value):
    assert seconds(text) == pytest.approx(value)


@every_case("text", ["2g", "2G", "2gb", "2GiB", "2048m", "2 g", "2147483648b", "2048", "0.001953125t"])
def test_sizes(text):
    assert size_bytes(text, plain=MIB) == 2 * GIB


@every_case(
    "text",
    [
        "",
        "s",
        "-1",
        "+1",
        "1e3",
        "1_000",
        "nan",
        "inf",
        "1 2",
        "1q",
        "\u0661",
        "9" * 16,
        "1:30",
        "2gg",
        "2ib",
        "2bb",
    ],
)
def test_what_is_no_quantity(text):
    with pytest.raises(ValueError, match=r"not|no unit"):
        seconds(text)
    with pytest.raises(ValueError, match=r"not|no unit"):
        size_bytes(text, plain=1)


def test_a_part_of_a_byte_is_no_size():
    with pytest.raises(ValueError, match="whole number of bytes"):
        size_bytes("0.5b", plain=1)


@pytest.mark.slow
@given(st.integers(min_value=1, max_value=10**12))
def test_what_is_shown_reads_back(number):
    assert size_bytes(show_bytes(number), plain=1) == number
    if number < 10**6:
        assert seconds(show_seconds(number)) == number


@every_case(
    ("value", "text"),
    [(300, "5m"), (90, "90s"), (21_600, "6h"), (86_400, "1d"), (0.5, "0.5s"), (604_799.25, "604799.25s")],
)
def test_seconds_are_shown_in_the_largest_whole_unit(value, text):
    assert show_seconds(value) == text
