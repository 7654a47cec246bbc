from notebook import Note, Notebook


def test_write(book):
    assert book.write("Milk").title == "Milk"


def test_tags_of_one_note(book):
    book.write("Milk").tag("shop")
    book.write("Run")
    assert book.tagged("shop") == ["Milk"]


def test_tags_are_there_once():
    assert Note("x", tags=["a"]).tag("a", "b").tags == ["a", "b"]


def test_there_and_back(book):
    book.write("Milk", "two bottles", ["shop"])
    assert Notebook.load(book.dump()).notes[0].as_dict() == {
        "title": "Milk",
        "body": "two bottles",
        "tags": ["shop"],
    }


def test_untagged_stays_untagged(book):
    book.write("a").tag("x")
    assert book.write("b").as_dict()["tags"] == []
