from hours import Span, gaps, merged


def spans(*pairs):
    return [Span(*pair) for pair in pairs]


def test_many_within_one():
    assert merged(spans((0, 600), (10, 20), (30, 40), (550, 610))) == spans((0, 610))


def test_chain_of_touching_spans():
    assert merged(spans((30, 40), (10, 20), (20, 30), (41, 50))) == spans((10, 40), (41, 50))


def test_equal_starts():
    assert merged(spans((10, 50), (10, 20))) == spans((10, 50))


def test_no_gap_where_spans_touch():
    assert gaps(spans((0, 100), (20, 30), (100, 110), (120, 130))) == spans((110, 120))
