from workqueue import order


def test_shared_followers():
    assert order({"a": ["c", "b"], "b": ["c", "a"], "c": ["a"]}, "a", "b") == ["a", "b", "c"]
