import pytest

from breaker import Circuit


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def circuit(clock):
    return Circuit(limit=2, pause=30, clock=clock)


@pytest.fixture
def fail(circuit):
    def fail(times=1):
        for _ in range(times):
            with pytest.raises(OSError), circuit:
                raise OSError("down")

    return fail
