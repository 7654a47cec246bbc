from pages import Source, fetch_all


def test_every_size():
    for size in range(12):
        for limit in (1, 2, 3, 5):
            assert fetch_all(Source(list(range(size)), limit)) == list(range(size))
