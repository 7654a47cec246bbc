from windows import means, windows


def test_one_reading():
    assert list(windows([(7, 2)], 5)) == [(5, [2])]


def test_windows_do_not_change_later():
    kept = [values for _, values in windows([(0, "a"), (10, "b"), (20, "c"), (21, "d")], 10)]
    assert kept == [["a"], ["b"], ["c", "d"]]
    kept[0].append("x")
    assert kept[1] == ["b"]


def test_lazily():
    def endless():
        for time in range(0, 600, 6):
            yield time, time
        raise AssertionError("read ahead")

    stream = windows(endless(), 10)
    assert [next(stream) for _ in range(2)] == [(0, [0, 6]), (10, [12, 18])]
    assert means([(0, 1), (1, 2)], 10) == [(0, 1.5)]
