import pytest

from retries import GaveUp, all_of, call


def failing(times):
    state = {"left": times}

    def action():
        if state["left"]:
            state["left"] -= 1
            raise ConnectionError("busy")
        return "done"

    return action


def test_at_once():
    assert call(failing(0)) == "done"


def test_third_time():
    assert call(failing(2)) == "done"


def test_gives_up():
    with pytest.raises(GaveUp):
        call(failing(99_999_999), tries=2)


def test_waits():
    waits = []
    with pytest.raises(GaveUp):
        call(failing(99_999_999), tries=4, waits=waits)
    assert waits == [1, 2, 4]


def test_several():
    assert all_of([failing(0), failing(99_999_999)]) == ["done", None]
