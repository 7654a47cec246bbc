from timesheet.entry import Entry
from timesheet.sheet import Sheet


def test_minutes():
    assert Entry("2026-01-01 00:00", "2026-01-01 00:06").hours == 0.1


def test_over_a_day():
    assert Entry("2026-01-01 08:00", "2026-01-02 08:30").hours == 24.5


def test_short_entries_add_up():
    sheet = Sheet(1)
    for minute in (0, 15, 30, 45):
        sheet.add(Entry(f"2026-01-01 08:{minute:02}", "2026-01-01 09:00"))
    assert sheet.overtime() == 1.5
