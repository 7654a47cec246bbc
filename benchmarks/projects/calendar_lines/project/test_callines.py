import pytest

from callines import events, parse_line, unescape, unfold

TEXT = """BEGIN:VCALENDAR
BEGIN:VEVENT
DTSTART;TZID=Europe/Vienna:20260901T090000
SUMMARY:Planning\\, second r
 ound
END:VEVENT
END:VCALENDAR
"""


def test_unfold():
    assert unfold("A:b\n c\n\td\n\nE:f\n") == ["A:bcd", "E:f"]


def test_plain_line():
    assert parse_line("summary:Lunch").name == "SUMMARY"


def test_parameters():
    assert parse_line('DTSTART;tzid="Europe/Rome":2026').parameters == {"TZID": "Europe/Rome"}


def test_no_value():
    with pytest.raises(ValueError, match="no value: X"):
        parse_line("X")


@pytest.mark.parametrize(
    ("text", "meant"), [("a\\, b\\; c", "a, b; c"), ("one\\ntwo", "one\ntwo"), ("C:\\\\new", "C:\\new")]
)
def test_unescape(text, meant):
    assert unescape(text) == meant


def test_events():
    (event,) = events(TEXT)
    assert event["SUMMARY"].value == "Planning, second round"
    assert event["DTSTART"].parameters["TZID"] == "Europe/Vienna"
