from snapshots import compare


def test_moved():
    difference = compare({"old": "1", "x": "2"}, {"new": "1", "x": "2"})
    assert difference.moved == (("old", "new"),)
    assert (difference.added, difference.removed) == ((), ())
    assert str(difference) == "> old to new"


def test_everything_at_once():
    difference = compare({"a": "1", "b": "2", "c": "3"}, {"b": "5", "d": "1", "e": "6"})
    assert (difference.added, difference.removed) == (("e",), ("c",))
    assert (difference.changed, difference.moved) == (("b",), (("a", "d"),))


def test_empty_sides():
    assert compare({}, {"a": "1"}).added == ("a",)
    assert compare({"a": "1"}, {}).removed == ("a",)
