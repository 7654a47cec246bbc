from contacts import AddressBook


def book():
    book = AddressBook()
    book.add("Theo McAllen", "t@example.org")
    book.add("Ida d'Arc", "ida@example.org")
    return book


def test_search_within_words():
    assert book().search("ALLEN") == ["Theo McAllen"]
    assert book().search("eo mc") == ["Theo McAllen"]
    assert book().search("a") == ["Ida d'Arc", "Theo McAllen"]


def test_names_keep_their_look():
    assert "IDA  D'ARC" in book()
    assert book().search("ida") == ["Ida d'Arc"]
