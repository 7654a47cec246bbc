import pytest

from ratelimit import LimitReached, TokenBucket


class Clock:
    def __init__(self):
        self.now = 50.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def bucket(clock):
    return TokenBucket(capacity=4, rate=2, clock=clock)


def test_starts_full(bucket):
    assert bucket.available == 4


def test_taking(bucket):
    bucket.take(3)
    assert bucket.available == 1


def test_empty(bucket):
    bucket.take(4)
    with pytest.raises(LimitReached) as caught:
        bucket.take()
    assert caught.value.wait == 0.5


def test_refills_with_time(bucket, clock):
    bucket.take(4)
    clock.now += 1
    assert bucket.available == 2


def test_never_more_than_its_capacity(bucket, clock):
    clock.now += 3600
    assert bucket.available == 4


def test_as_a_context(bucket):
    with bucket:
        assert bucket.available == 3
