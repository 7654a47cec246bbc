from editor import Append, Document


def test_several_undone_then_a_new_change():
    document = Document()
    for text in "abc":
        document.apply(Append(text))
    document.undo()
    document.undo()
    document.undo()
    document.apply(Append("x"))
    assert not document.redo()
    assert document.content == "x"


def test_redo_several():
    document = Document()
    for text in "abc":
        document.apply(Append(text))
    while document.undo():
        pass
    while document.redo():
        pass
    assert document.content == "abc"
    assert document.undo()
    assert document.content == "ab"
