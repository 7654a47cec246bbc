import pytest

from sheet import CircularReference, Sheet, SheetError
from sheet.formula import expand_range


def test_numbers():
    assert Sheet(A1=3)["A1"] == 3
    assert Sheet()["Z9"] == 0


def test_formula():
    assert Sheet(A1=2, B1="=A1*3+1")["B1"] == 7


def test_sum():
    assert Sheet(A1=1, A2=2, A3="=A1+A2", B1="=SUM(A1:A3)")["B1"] == 6


def test_range():
    assert expand_range("A1", "B2") == ["A1", "B1", "A2", "B2"]


def test_circle():
    with pytest.raises(CircularReference, match="A1 -> B1 -> A1"):
        Sheet(A1="=B1", B1="=A1")["A1"]


def test_text():
    with pytest.raises(SheetError, match="A1 holds a text"):
        Sheet(A1="hello", B1="=A1")["B1"]


def test_update():
    sheet = Sheet()
    sheet.update([[1, 2], [3, "=A1+B1+A2"]])
    assert sheet.filled() == ["A1", "A2", "B1", "B2"]
    assert sheet["B2"] == 6


def test_update_elsewhere():
    sheet = Sheet(A1=1)
    sheet.update([[5]], start="C7")
    assert sheet.filled() == ["A1", "C7"]
