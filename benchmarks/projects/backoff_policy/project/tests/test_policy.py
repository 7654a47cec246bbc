import pytest

from patience import Backoff, GaveUp, retry


def failing(times, result="ok", error=OSError):
    calls = iter(range(times))

    def call():
        if next(calls, None) is None:
            return result
        raise error("not now")

    return call


def test_success_at_once_does_not_wait():
    slept = []
    assert retry(failing(0), Backoff(), slept.append) == "ok"
    assert slept == []


def test_waits_grow():
    slept = []
    retry(failing(3), Backoff(first=0.5), slept.append)
    assert slept == [0.5, 1.0, 2.0]


def test_waits_are_limited():
    assert list(Backoff(first=10, factor=3, longest=40, attempts=4).delays()) == [10, 30, 40]


def test_gives_up():
    with pytest.raises(GaveUp, match="failed 2 times"):
        retry(failing(9), Backoff(attempts=2), lambda seconds: None)


def test_other_errors_pass():
    with pytest.raises(KeyError):
        retry(failing(1, error=KeyError), Backoff(), lambda seconds: None)


def test_no_failure_no_delay():
    with pytest.raises(ValueError, match="nothing has failed"):
        Backoff().delay(0)
