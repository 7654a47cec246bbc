import pytest

from tablekit import Table, read_table

TEXT = "Name, City ,Age\nAda,London,36\nEmil,Berlin,29\n\nIda,Berlin,41\n"


@pytest.fixture
def people():
    return read_table(TEXT)


def test_columns(people):
    assert people.columns == ["name", "city", "age"]


def test_blank_lines_are_skipped(people):
    assert len(people) == 3


def test_column_by_plain_name(people):
    assert people.column("age") == ["36", "29", "41"]


def test_column_as_it_was_written(people):
    assert people.column("City") == ["London", "Berlin", "Berlin"]


def test_where(people):
    assert people.where(city="Berlin").column("name") == ["Emil", "Ida"]


def test_where_as_it_was_written(people):
    assert len(people.where(Name="Ada")) == 1


def test_repeated_column():
    with pytest.raises(ValueError, match="twice"):
        Table(["a", "A "])


def test_ragged_row():
    with pytest.raises(ValueError, match="2 cells for 1"):
        Table(["a"], [(1, 2)])
