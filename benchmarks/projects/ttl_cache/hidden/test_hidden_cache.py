def test_storing_again_starts_anew(cache, clock):
    cache.set("a", 1)
    clock.advance(50)
    cache.set("a", 2)
    clock.advance(50)
    assert cache.get("a") == 2
    clock.advance(10)
    assert cache.get("a") is None


def test_order_of_use_and_age_differ(cache, clock):
    cache.set("a", 1)
    clock.advance(10)
    cache.set("b", 2)
    clock.advance(5)
    cache.get("a")
    clock.advance(1)
    cache.set("c", 3)
    assert (cache.get("a"), cache.get("b")) == (1, None)
    clock.advance(44)
    assert cache.get("a") is None
    assert cache.get("c") == 3
