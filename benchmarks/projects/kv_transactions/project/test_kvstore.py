import unittest

from kvstore import Store


class StoreTest(unittest.TestCase):
    def setUp(self):
        self.store = Store()
        self.store.set("a", 1)

    def test_set_and_get(self):
        self.assertEqual(self.store.get("a"), 1)
        self.assertIsNone(self.store.get("b"))

    def test_delete(self):
        self.store.delete("a")
        self.assertNotIn("a", self.store)
        with self.assertRaises(KeyError):
            self.store.delete("a")

    def test_rollback_of_new_values(self):
        self.store.begin()
        self.store.set("a", 2)
        self.store.set("b", 3)
        self.store.rollback()
        self.assertEqual(self.store.get("a"), 1)
        self.assertNotIn("b", self.store)

    def test_rollback_of_a_deletion(self):
        self.store.begin()
        self.store.delete("a")
        self.store.rollback()
        self.assertEqual(self.store.get("a"), 1)

    def test_commit(self):
        with self.store.transaction():
            self.store.set("a", 5)
        self.assertEqual(self.store.get("a"), 5)

    def test_nested(self):
        with self.assertRaises(ZeroDivisionError), self.store.transaction():
            with self.store.transaction():
                self.store.set("a", 7)
            self.store.set("b", 1 // 0)
        self.assertEqual(self.store.get("a"), 1)

    def test_nothing_open(self):
        with self.assertRaises(RuntimeError):
            self.store.rollback()
