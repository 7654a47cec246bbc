import pytest

from breaker import CircuitOpen
from breaker.states import State


def test_closed_at_first(circuit):
    with circuit:
        assert circuit.state is State.CLOSED


def test_opens(circuit, fail):
    fail(2)
    with pytest.raises(CircuitOpen, match="2 failures"), circuit:
        pass


def test_one_failure_is_forgiven(circuit, fail):
    fail()
    with circuit:
        pass
    fail()
    assert circuit.state is State.CLOSED


def test_tries_again(circuit, fail, clock):
    fail(2)
    clock.now = 30
    assert circuit.state is State.TRYING
    with circuit:
        pass
    assert circuit.state is State.CLOSED


def test_trying_fails(circuit, fail, clock):
    fail(2)
    clock.now = 31
    fail()
    clock.now = 60
    assert circuit.state is State.OPEN
