from lru import WeightedLRU


def test_weight_stays_right_after_hits():
    cache = WeightedLRU(6)
    for key in "abc":
        cache.put(key, "xx")
    for _ in range(3):
        cache.get("a", str)
    assert cache.weight == 6
    assert all(key in cache for key in "abc")


def test_order_of_use_decides():
    cache = WeightedLRU(3)
    for key in "abc":
        cache.put(key, "x")
    for key in "cab":
        cache.get(key, str)
    cache.put("d", "x")
    assert "c" not in cache
    cache.put("e", "x")
    assert "a" not in cache
    assert "b" in cache
