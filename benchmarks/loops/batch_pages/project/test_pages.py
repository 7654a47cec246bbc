from pages import Source, count, fetch_all


def test_one_page():
    assert fetch_all(Source([1, 2], 5)) == [1, 2]


def test_nothing():
    assert fetch_all(Source([], 5)) == []


def test_two_pages():
    assert fetch_all(Source([1, 2, 3], 2)) == [1, 2, 3]


def test_many_pages():
    source = Source(list("abcdefg"), 2)
    assert "".join(fetch_all(source)) == "abcdefg"
    assert source.calls == 4


def test_count():
    assert count(Source(range(10), 3)) == 10
