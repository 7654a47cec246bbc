import unittest

from tank import hours_to_empty, levels


class TankTest(unittest.TestCase):
    def test_empty_already(self):
        self.assertEqual(hours_to_empty(0, 5), 0)

    def test_weak_pump(self):
        with self.assertRaises(ValueError):
            hours_to_empty(10, 2, inflow=2)

    def test_levels(self):
        self.assertEqual(levels(7, 3), [4, 1, 0])

    def test_hours(self):
        self.assertEqual(hours_to_empty(10, 3), 4)

    def test_hours_with_inflow(self):
        self.assertEqual(hours_to_empty(10, 3, inflow=1), 5)


if __name__ == "__main__":
    unittest.main()
