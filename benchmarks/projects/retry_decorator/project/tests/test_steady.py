import pytest

from steady import Stats, steady


class Service:
    def __init__(self, *errors):
        self.errors = list(errors)

    def ask(self):
        if self.errors:
            raise self.errors.pop(0)
        return "answer"


def test_no_failure():
    assert steady()(Service().ask)() == "answer"


def test_second_try():
    assert steady(times=2)(Service(OSError()).ask)() == "answer"


def test_last_error_gets_out():
    with pytest.raises(TimeoutError):
        steady(times=2)(Service(OSError(), TimeoutError()).ask)()


def test_stats():
    stats = Stats()
    steady(stats=stats)(Service(OSError(), OSError()).ask)()
    assert (stats.calls["ask"], stats.failures["ask"]) == (3, 2)
    assert stats.rate("none") == 0


def test_arguments():
    @steady()
    def area(width, *, height=1):
        return width * height

    assert area(2, height=3) == 6


def test_name():
    @steady()
    def measure():
        """Measures."""

    assert (measure.__name__, measure.__doc__) == ("measure", "Measures.")


def test_fallback():
    assert steady(fallback=lambda: "kept")(Service(*[OSError()] * 9).ask)() == "kept"
