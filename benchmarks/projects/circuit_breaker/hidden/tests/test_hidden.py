import pytest

from breaker import Circuit
from breaker.states import State


def test_closed_anew_after_a_try(circuit, fail, clock):
    fail(2)
    clock.now = 40
    with circuit:
        pass
    assert circuit.failures == 0
    fail()
    assert circuit.state is State.CLOSED
    fail()
    assert circuit.state is State.OPEN


def test_only_failures_in_a_row(clock):
    circuit = Circuit(limit=3, pause=1, clock=clock)
    for _ in range(4):
        for _ in range(2):
            with pytest.raises(KeyError), circuit:
                raise KeyError
        with circuit:
            pass
    assert circuit.state is State.CLOSED
