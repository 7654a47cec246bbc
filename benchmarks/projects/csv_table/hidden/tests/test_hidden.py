import pytest

from tablekit import Table


def test_any_spelling():
    table = Table([" Unit Price", "SKU"], [(3, "x"), (4, "y")])
    assert table.column("  unit price ") == [3, 4]
    assert table.where(SKU="y").column("UNIT PRICE") == [4]
    assert table.where(**{"Unit Price": 3, "sku": "x"}).rows == [[3, "x"]]


def test_unknown_column():
    with pytest.raises(ValueError):
        Table(["a"]).column("b")
