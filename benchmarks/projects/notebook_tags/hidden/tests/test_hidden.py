from notebook import Note


def test_notes_made_alone():
    Note("a").tag("x")
    assert Note("b").tags == []


def test_the_list_given_is_not_changed():
    tags = ["a"]
    first, second = Note("1", tags=tags), Note("2", tags=tags)
    first.tag("b")
    assert tags == ["a"]
    assert second.tags == ["a"]


def test_an_empty_list_given_is_not_changed(book):
    tags = []
    Note("1", tags=tags).tag("b")
    assert tags == []
