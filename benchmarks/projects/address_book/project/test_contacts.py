import unittest

from contacts import AddressBook


class AddressBookTest(unittest.TestCase):
    def setUp(self):
        self.book = AddressBook()
        self.book.add("Ann Lee", "ann@example.org")
        self.book.add("  Bo   Berg ", "bo@example.org")

    def test_exact_name(self):
        self.assertEqual(self.book["Ann Lee"], "ann@example.org")

    def test_spaces(self):
        self.assertIn("Bo Berg", self.book)

    def test_capitals(self):
        self.assertEqual(self.book["ANN lee"], "ann@example.org")

    def test_twice(self):
        with self.assertRaises(ValueError):
            self.book.add("bo berg", "other@example.org")

    def test_no_address(self):
        with self.assertRaises(ValueError):
            self.book.add("Eve", "eve.example.org")

    def test_remove(self):
        self.book.remove("Ann Lee")
        self.assertNotIn("Ann Lee", self.book)

    def test_search(self):
        self.assertEqual(self.book.search("berg"), ["Bo   Berg"])
        self.assertEqual(self.book.search("ann@"), ["Ann Lee"])
