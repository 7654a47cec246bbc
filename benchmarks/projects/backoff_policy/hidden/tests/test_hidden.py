import pytest

from patience import Backoff


@pytest.mark.parametrize(
    ("failures", "seconds"), [(1, 2), (2, 2 * 1.5), (3, 2 * 1.5**2), (4, 2 * 1.5**3), (5, 8), (50, 8)]
)
def test_delay(failures, seconds):
    assert Backoff(first=2, factor=1.5, longest=8).delay(failures) == seconds


def test_constant():
    assert list(Backoff(first=3, factor=1, attempts=4).delays()) == [3, 3, 3]


def test_first_is_limited_too():
    assert Backoff(first=100).delay(1) == 60
