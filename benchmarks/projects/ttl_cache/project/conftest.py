import pytest

from ttlcache import TTLCache


class Clock:
    now = 1000.0

    def __call__(self):
        return self.now

    def advance(self, seconds):
        self.now += seconds


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def cache(clock):
    return TTLCache(ttl=60, max_size=2, clock=clock)
