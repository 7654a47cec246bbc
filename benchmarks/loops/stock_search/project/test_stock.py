from stock import contains, missing, position

NUMBERS = [3, 8, 15, 21, 40]


def test_empty():
    assert position([], 5) == 0
    assert not contains([], 5)


def test_before_all():
    assert position(NUMBERS, 1) == 0


def test_in_between():
    assert position(NUMBERS, 16) == 3


def test_last():
    assert contains(NUMBERS, 40)


def test_missing():
    assert missing(NUMBERS, [8, 9, 50]) == [9, 50]
