from lru import WeightedLRU


def double(key):
    return key * 2


def test_loads_once():
    cache = WeightedLRU(10)
    assert cache.get("ab", double) == "abab"
    assert cache.get("ab", double) == "abab"
    assert (cache.hits, cache.misses) == (1, 1)


def test_makes_room():
    cache = WeightedLRU(5)
    cache.put("a", "xx")
    cache.put("b", "xx")
    cache.put("c", "xx")
    assert "a" not in cache
    assert "b" in cache


def test_use_keeps_alive():
    cache = WeightedLRU(8)
    cache.put("a", "xx")
    cache.put("b", "xx")
    cache.get("a", double)
    cache.put("c", "xxxxx")
    assert "b" not in cache
    assert "a" in cache


def test_too_heavy():
    cache = WeightedLRU(3)
    cache.put("a", "xxxx")
    assert "a" not in cache
    assert cache.weight == 0


def test_replacing_does_not_count_twice():
    cache = WeightedLRU(9)
    cache.put("a", "xx")
    cache.put("a", "xxx")
    assert cache.weight == 3
