from bus import Bus


def test_a_listener_that_adds_a_listener():
    bus = Bus()
    calls = []

    def first():
        calls.append("first")
        if len(calls) < 5:
            bus.listen("x", lambda: calls.append("late"))

    bus.listen("x", first)
    bus.emit("x")
    assert calls == ["first"]
    bus.emit("x")
    assert calls == ["first", "first", "late"]


def test_a_listener_that_leaves():
    bus = Bus()

    def leaving():
        bus.forget("x", leaving)
        return "a"

    bus.listen("x", leaving)
    bus.listen("x", lambda: "b")
    bus.listen("x", lambda: "c", once=True)
    bus.listen("x", lambda: "d", once=True)
    assert bus.emit("x") == ["a", "b", "c", "d"]
    assert bus.emit("x") == ["b"]
