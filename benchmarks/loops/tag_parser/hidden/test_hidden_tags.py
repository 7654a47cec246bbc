from tags import parse


def test_escapes():
    assert parse("a\\\\b") == ["a\\b"]
    assert parse("\\,") == [","]
    assert parse("a\\,\\,b,c") == ["a,,b", "c"]
