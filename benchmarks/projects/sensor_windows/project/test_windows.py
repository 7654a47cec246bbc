import unittest

from windows import means, peaks, windows

READINGS = [(0, 1.0), (4, 3.0), (11, 5.0), (19, 6.0), (40, 9.0)]


class Windows(unittest.TestCase):
    def test_nothing(self):
        self.assertEqual(list(windows([], 10)), [])

    def test_first(self):
        self.assertEqual(next(windows(READINGS, 10)), (0, [1.0, 3.0]))

    def test_all(self):
        self.assertEqual(list(windows(READINGS, 10)), [(0, [1.0, 3.0]), (10, [5.0, 6.0]), (40, [9.0])])

    def test_order(self):
        self.assertLess(next(windows(READINGS, 20))[0], 20)


class Summaries(unittest.TestCase):
    def test_means(self):
        self.assertEqual(means(READINGS, 10), [(0, 2.0), (10, 5.5), (40, 9.0)])

    def test_peaks(self):
        self.assertEqual(peaks(READINGS, 10, 5.5), [10, 40])
