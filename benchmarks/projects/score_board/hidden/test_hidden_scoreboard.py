from scoreboard import Board


def names(board):
    return [player.name for player in board.ranking()]


def test_fewer_games_lead():
    board = Board()
    board.record(ann=4, bob=8)
    board.record(ann=4)
    assert names(board) == ["bob", "ann"]


def test_names_decide_last():
    board = Board()
    board.record(c=2, a=2, b=2, d=9)
    assert names(board) == ["d", "a", "b", "c"]


def test_negative_points():
    board = Board()
    board.record(x=-3, y=0, z=-1)
    assert names(board) == ["y", "z", "x"]
