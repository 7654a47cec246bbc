def test_miss(cache):
    assert cache.get("a", "none") == "none"


def test_hit(cache):
    cache.set("a", 1)
    assert cache.get("a") == 1


def test_gone_after_its_time(cache, clock):
    cache.set("a", 1)
    clock.advance(60)
    assert cache.get("a") is None
    assert len(cache) == 0


def test_use_does_not_prolong(cache, clock):
    cache.set("a", 1)
    clock.advance(40)
    assert cache.get("a") == 1
    clock.advance(40)
    assert cache.get("a") is None


def test_least_recently_used_goes(cache, clock):
    cache.set("a", 1)
    clock.advance(1)
    cache.set("b", 2)
    clock.advance(1)
    cache.get("a")
    clock.advance(1)
    cache.set("c", 3)
    assert cache.get("b") is None
    assert cache.get("a") == 1
