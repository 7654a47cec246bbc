from completion import Completer


def test_empty_start():
    assert Completer(["b", "a"]).complete("") == ["a", "b"]


def test_uses_of_whole_words():
    completer = Completer(["tea", "team", "tea"])
    assert [completer.uses(word) for word in ("tea", "team", "te", "teams", "x", "")] == [2, 1, 0, 0, 0, 0]


def test_a_word_completes_itself():
    assert Completer(["road", "roads"]).complete("ROADS") == ["roads"]
