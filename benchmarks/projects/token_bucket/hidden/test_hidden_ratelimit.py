import pytest

from ratelimit import LimitReached, TokenBucket


def test_a_long_pause_saves_nothing_up():
    times = iter([0.0, 100.0, 100.0, 100.5])
    bucket = TokenBucket(3, 1, lambda: next(times))
    bucket.take(3)
    with pytest.raises(LimitReached):
        bucket.take(1)
    with pytest.raises(LimitReached) as caught:
        bucket.take(1)
    assert caught.value.wait == 0.5


def test_parts_of_tokens_add_up():
    now = [0.0]
    bucket = TokenBucket(2, 1, lambda: now[0])
    bucket.take(2)
    for _ in range(4):
        now[0] += 0.25
        last = bucket.available
    assert last == 1


def test_more_than_fits_is_never_had():
    now = [0.0]
    bucket = TokenBucket(2, 1, lambda: now[0])
    now[0] = 30.0
    with pytest.raises(LimitReached):
        bucket.take(3)
