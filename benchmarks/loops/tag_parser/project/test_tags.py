from tags import count, parse


def test_nothing():
    assert parse("") == []


def test_words():
    assert parse("red, green,blue") == ["red", "green", "blue"]


def test_gaps():
    assert parse(",a,,b,") == ["a", "b"]


def test_escaped_comma():
    assert parse("salt\\, pepper, oil") == ["salt, pepper", "oil"]


def test_count():
    assert count("a, b\\,c, a") == {"a": 2, "b,c": 1}
