from itertools import islice

from backoff import pauses


def test_other_factors():
    assert list(islice(pauses(2, 3, 60), 9)) == [2, 6, 18, 54, 60]
    assert list(islice(pauses(1, 10, 1000), 9)) == [1, 10, 100, 1000]
