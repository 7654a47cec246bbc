from workqueue import Board, order


def test_nothing():
    assert order({}) == []


def test_one_job():
    assert order({}, "wash") == ["wash"]


def test_followers():
    assert order({"wash": ["dry"], "dry": ["iron"]}, "wash") == ["wash", "dry", "iron"]


def test_a_circle():
    assert order({"wash": ["wear"], "wear": ["wash"]}, "wash") == ["wash", "wear"]


def test_twice():
    board = Board({})
    board.add("cook")
    board.add("cook")
    assert board.work() == ["cook"]
