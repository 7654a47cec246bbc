import pytest

from bus import Bus


@pytest.fixture
def bus():
    return Bus()


def test_nobody_listens(bus):
    assert bus.emit("saved") == []


def test_in_order(bus):
    bus.listen("saved", lambda name: name + "1")
    bus.listen("saved", lambda name: name + "2")
    assert bus.emit("saved", "x") == ["x1", "x2"]


def test_decorator(bus):
    @bus.listen("saved")
    def note(name):
        return name.upper()

    assert bus.emit("saved", "x") == ["X"]
    assert note("y") == "Y"


def test_once(bus):
    bus.listen("saved", lambda: 1, once=True)
    assert bus.emit("saved") == [1]
    assert bus.emit("saved") == []


def test_once_does_not_hide_the_next(bus):
    bus.listen("saved", lambda: 1, once=True)
    bus.listen("saved", lambda: 2)
    assert bus.emit("saved") == [1, 2]
    assert bus.count("saved") == 1


def test_forget(bus):
    listener = bus.listen("saved", lambda: 1)
    bus.forget("saved", listener)
    assert bus.count("saved") == 0
