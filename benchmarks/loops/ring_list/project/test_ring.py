from ring import Track, length, ring, titles


def test_the_next_one():
    assert ring(["a", "b"]).following.title == "b"


def test_ring():
    assert titles(ring(["a", "b", "c"])) == ["a", "b", "c"]


def test_chain():
    assert titles(Track("x", Track("y"))) == ["x", "y"]


def test_alone():
    assert length(ring(["a"])) == 1
