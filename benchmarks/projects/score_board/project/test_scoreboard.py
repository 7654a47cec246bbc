import pytest

from scoreboard import Board


@pytest.fixture
def board():
    board = Board()
    board.record(ann=10, bob=30, eve=20)
    board.record(ann=15, bob=0)
    return board


def test_empty():
    assert Board().leader() is None


def test_ranking(board):
    assert [player.name for player in board.ranking()] == ["bob", "ann", "eve"]


def test_leader(board):
    assert board.leader() == "bob"


def test_average(board):
    assert board.average("ann") == 12.5


def test_places(board):
    assert board.places() == {"bob": 1, "ann": 2, "eve": 3}


def test_shared_place():
    board = Board()
    board.record(a=5, b=5, c=1)
    assert board.places() == {"a": 1, "b": 1, "c": 3}


def test_unknown(board):
    with pytest.raises(KeyError):
        board.average("zoe")
