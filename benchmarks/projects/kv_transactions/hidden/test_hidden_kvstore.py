from kvstore import Store


def test_set_then_deleted():
    store = Store()
    store.set("a", 1)
    store.begin()
    store.set("a", 2)
    store.delete("a")
    store.rollback()
    assert store.get("a") == 1


def test_new_then_deleted():
    store = Store()
    store.begin()
    store.set("a", 2)
    store.delete("a")
    store.rollback()
    assert "a" not in store


def test_deleted_then_set():
    store = Store()
    store.set("a", 1)
    store.begin()
    store.delete("a")
    store.set("a", 3)
    store.rollback()
    assert store.get("a") == 1


def test_deleted_within_two():
    store = Store()
    store.set("a", 1)
    store.begin()
    store.begin()
    store.delete("a")
    store.commit()
    assert "a" not in store
    store.rollback()
    assert store.get("a") == 1
