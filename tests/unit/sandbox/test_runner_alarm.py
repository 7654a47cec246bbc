"""The alarm of a test: what computes is interrupted at its limit, what waits for another gets more."""

import signal
import threading
import time

import pytest

from sandbox.runner.alarm import Alarm, TestTimeout


@pytest.fixture
def alarm():
    before = signal.getsignal(signal.SIGALRM)
    made = Alarm()
    made.install()
    yield made
    made.stop()
    signal.signal(signal.SIGALRM, before)


def compute():
    while True:
        pass


@pytest.mark.parametrize("never_ends", [lambda: threading.Event().wait(), lambda: time.sleep(60)])
def test_what_waits_gets_the_longer_limit_and_the_watcher_hears_of_it(alarm, never_ends):
    noted = []
    alarm.start(0.1, 0.4, noted.append)
    started = time.monotonic()
    with pytest.raises(TestTimeout, match=r"longer than 0\.4 s"):
        never_ends()
    assert noted == [0.4]
    assert time.monotonic() - started >= 0.4


def test_what_computes_is_interrupted_at_the_limit(alarm, monkeypatch):
    # On a busy machine a loop has little of the processor: here all time is its own.
    monkeypatch.setattr("sandbox.runner.alarm.process_time", time.monotonic)
    noted = []
    alarm.start(0.2, 60.0, noted.append)
    with pytest.raises(TestTimeout, match=r"longer than 0\.2 s"):
        compute()
    assert noted == []


def test_without_a_longer_limit_what_waits_is_interrupted_as_well(alarm):
    error = alarm.within(0.1, lambda: time.sleep(60))
    assert str(error) == "took longer than 0.1 s"


def test_an_interruption_is_raised_on(alarm):
    def interrupt():
        raise KeyboardInterrupt  # a signal would do nothing in a job that a shell started in the background

    with pytest.raises(KeyboardInterrupt):  # which wants no verdict on any test
        alarm.within(60.0, interrupt)
