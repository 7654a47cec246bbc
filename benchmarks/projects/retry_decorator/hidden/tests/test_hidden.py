import pytest

from steady import Stats, steady


def test_other_errors_are_not_tried_again():
    stats = Stats()

    @steady(stats=stats)
    def broken():
        raise ValueError("no")

    with pytest.raises(ValueError):
        broken()
    assert stats.calls["broken"] == 1


def test_chosen_errors():
    calls = []

    @steady(times=4, on=KeyError, fallback=lambda: "f")
    def flaky():
        calls.append(1)
        raise KeyError

    assert flaky() == "f"
    assert len(calls) == 4
    assert flaky.__name__ == "flaky"


def test_chosen_errors_only():
    with pytest.raises(OSError):
        steady(on=KeyError, fallback=lambda: "f")(lambda: open("/none/such"))()
