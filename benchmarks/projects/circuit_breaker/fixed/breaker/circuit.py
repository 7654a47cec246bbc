"""Stops calling a service that keeps failing."""

from .states import State


class CircuitOpen(Exception):
    pass


class Circuit:
    """Opens after `limit` failures in a row; after `pause` seconds one call may try again."""

    def __init__(self, limit, pause, clock):
        self.limit = limit
        self.pause = pause
        self._clock = clock
        self.failures = 0
        self._opened_at = None

    @property
    def state(self):
        if self._opened_at is None:
            return State.CLOSED
        if self._clock() - self._opened_at >= self.pause:
            return State.TRYING
        return State.OPEN

    def __enter__(self):
        if self.state is State.OPEN:
            raise CircuitOpen(f"{self.failures} failures")
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            self._succeeded()
        elif issubclass(kind, Exception):
            self._failed()
        return False

    def _succeeded(self):
        self._opened_at = None
        self.failures = 0

    def _failed(self):
        trying = self.state is State.TRYING
        self.failures += 1
        if trying or self.failures >= self.limit:
            self._opened_at = self._clock()
