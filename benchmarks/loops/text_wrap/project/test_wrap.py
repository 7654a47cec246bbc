from wrap import lines, pieces


def test_short_word():
    assert pieces("tea", 5) == ["tea"]


def test_lines():
    assert lines("to be or not", 5) == ["to be", "or", "not"]


def test_nothing():
    assert lines("", 5) == []


def test_long_word():
    assert pieces("coffeepot", 4) == ["coff", "eepo", "t"]


def test_long_words_in_lines():
    assert lines("a teaspoon is", 4) == ["a", "teas", "poon", "is"]
