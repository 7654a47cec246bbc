from jsonpath import load, read


def test_stars_at_two_levels():
    document = {"a": [{"b": {"x": 1, "y": 2}}, {"b": {"x": 3}}]}
    assert read(document, "a.*.b.*") == [[1, 2], [3]]
    assert read(document, "a.0.*") == [{"x": 1, "y": 2}]


def test_lengths():
    document = {"a": {"b": {"c": {"d": 5}}}}
    assert read(document, "a.b.c.d") == 5
    assert read(document, "a.b.c") == {"d": 5}
    assert read(document, "a.b") == {"c": {"d": 5}}
    assert load('{"a": null}', "a") is None


def test_star_below_a_key():
    assert read({"k": [1, 2]}, "k.*") == [1, 2]
