import pytest

from durations import parse, total


@pytest.mark.parametrize(("text", "seconds"), [("120", 120), (" 7 ", 7), ("007", 7), ("0", 0)])
def test_plain_numbers_are_seconds(text, seconds):
    assert parse(text) == seconds


def test_only_plain_numbers():
    assert total(["30", "30"]) == "1m"
    assert total([]) == "0s"
