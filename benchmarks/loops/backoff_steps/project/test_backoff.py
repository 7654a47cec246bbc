from backoff import describe, pauses, total


def test_only_the_longest():
    assert list(pauses(9, 2, 5)) == [5]


def test_two_pauses():
    assert list(pauses(3, 2, 5)) == [3, 5]


def test_growing():
    assert list(pauses(1, 2, 10)) == [1, 2, 4, 8, 10]


def test_total():
    assert total(1, 3, 20) == 1 + 3 + 9 + 20


def test_words():
    assert describe(2, 5, 20) == "2 s, 10 s, 20 s"
