from pipeline import Pipeline, compute, first, share, where


def numbers():
    for number in range(1, 100):
        yield {"n": number}
    raise AssertionError("more rows were taken than are needed")


def test_no_more_rows_than_are_needed():
    pipeline = Pipeline(compute("even", lambda row: row["n"] % 2 == 0), where(even=True), first(3))
    assert [row["n"] for row in pipeline(numbers())] == [2, 4, 6]


def test_shares_of_an_iterator():
    assert [row["s"] for row in Pipeline(share("s", of="n"))(iter([{"n": 1}, {"n": 1}]))] == [0.5, 0.5]


def test_rows_can_be_used_again():
    rows = [{"n": 1}, {"n": 3}]
    pipeline = Pipeline(first(1), share("s", of="n"))
    assert list(pipeline(rows)) == list(pipeline(rows)) == [{"n": 1, "s": 1.0}]


def test_nothing():
    assert list(Pipeline(first(2), share("s", of="n"))([])) == []
