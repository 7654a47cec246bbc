"""A limit on how often something may be done."""


class LimitReached(Exception):
    def __init__(self, wait):
        super().__init__(f"try again in {wait:.2f} s")
        self.wait = wait


class TokenBucket:
    """Holds up to `capacity` tokens; `rate` new ones arrive a second."""

    def __init__(self, capacity, rate, clock):
        self.capacity = capacity
        self.rate = rate
        self._clock = clock
        self._tokens = capacity
        self._seen = clock()

    def _refill(self):
        now = self._clock()
        self._tokens = min(self.capacity, self._tokens + (now - self._seen) * self.rate)
        self._seen = now

    @property
    def available(self):
        self._refill()
        return int(self._tokens)

    def take(self, count=1):
        self._refill()
        if count > self._tokens:
            raise LimitReached((count - self._tokens) / self.rate)
        self._tokens -= count

    def __enter__(self):
        self.take()
        return self

    def __exit__(self, *exc):
        return False
