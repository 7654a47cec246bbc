import unittest
from datetime import timedelta

from timesheet.entry import Entry
from timesheet.sheet import Sheet


class Entries(unittest.TestCase):
    def test_worked(self):
        entry = Entry("2026-05-04 09:00", "2026-05-04 17:30", 30)
        self.assertEqual(entry.worked, timedelta(hours=8))

    def test_whole_hours(self):
        self.assertEqual(Entry("2026-05-04 09:00", "2026-05-04 12:00").hours, 3)

    def test_parts_of_hours(self):
        self.assertEqual(Entry("2026-05-04 09:00", "2026-05-04 12:45").hours, 3.75)

    def test_backwards(self):
        with self.assertRaises(ValueError):
            Entry("2026-05-04 12:00", "2026-05-04 09:00")


class Sheets(unittest.TestCase):
    def setUp(self):
        self.sheet = Sheet(weekly_hours=10)
        self.sheet.add(Entry("2026-05-04 09:00", "2026-05-04 12:30"))
        self.sheet.add(Entry("2026-05-04 13:00", "2026-05-04 17:30"))
        self.sheet.add(Entry("2026-05-05 09:00", "2026-05-05 12:00"))

    def test_by_day(self):
        self.assertEqual(self.sheet.by_day(), {"2026-05-04": 8, "2026-05-05": 3})

    def test_overtime(self):
        self.assertEqual(self.sheet.overtime(), 1)

    def test_longest_day(self):
        self.assertEqual(self.sheet.longest_day(), "2026-05-04")
        self.assertIsNone(Sheet().longest_day())
