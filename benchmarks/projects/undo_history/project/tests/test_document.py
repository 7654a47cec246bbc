import pytest

from editor import Append, Delete, Document, Replace


@pytest.fixture
def document():
    return Document("ab").apply(Append("cd"))


def test_apply(document):
    assert document.content == "abcd"


def test_undo(document):
    assert document.undo()
    assert document.content == "ab"
    assert not document.undo()


def test_redo(document):
    document.undo()
    assert document.redo()
    assert document.content == "abcd"


def test_delete(document):
    document.apply(Delete(9))
    assert document.content == ""
    document.undo()
    assert document.content == "abcd"


def test_replace(document):
    document.apply(Replace("b", "--")).undo()
    assert document.content == "abcd"


def test_nothing_to_redo_after_a_new_change(document):
    document.undo()
    document.apply(Append("x"))
    assert not document.redo()
    assert document.content == "abx"
