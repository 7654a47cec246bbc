import unittest

from iniread import IniError, get_bool, parse


class Parsing(unittest.TestCase):
    def test_tight(self):
        self.assertEqual(parse("a=1\nb=2"), {"": {"a": "1", "b": "2"}})

    def test_spaces_around_the_sign(self):
        self.assertEqual(parse("[web]\nPort = 8080")["web"], {"port": "8080"})

    def test_comments_and_blank_lines(self):
        self.assertEqual(parse("# note\n\n; other\na=1")[""], {"a": "1"})

    def test_quotes(self):
        self.assertEqual(parse('title="Hello there"')[""]["title"], "Hello there")

    def test_unclosed_section(self):
        with self.assertRaises(IniError) as caught:
            parse("a=1\n[web")
        self.assertEqual(caught.exception.line_number, 2)

    def test_no_sign(self):
        with self.assertRaises(IniError):
            parse("just words")


class Truth(unittest.TestCase):
    def test_values(self):
        self.assertTrue(get_bool({"a": "Yes"}, "a"))
        self.assertFalse(get_bool({"a": "off"}, "a"))

    def test_default(self):
        self.assertTrue(get_bool({}, "a", default=True))


if __name__ == "__main__":
    unittest.main()
