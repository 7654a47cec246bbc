import pytest

from jsonpath import NoSuchPlace, load, read, write


@pytest.fixture
def document():
    return {"users": [{"name": "Ann", "tags": ["x"]}, {"name": "Bo", "tags": []}], "count": 2}


def test_everything(document):
    assert read(document, "") is document


def test_key(document):
    assert read(document, "count") == 2


def test_nested(document):
    assert read(document, "users.1.name") == "Bo"


def test_all(document):
    assert read(document, "users.*.name") == ["Ann", "Bo"]


def test_missing(document):
    with pytest.raises(NoSuchPlace):
        read(document, "users.7")
    assert read(document, "none", default=None) is None


def test_write(document):
    write(document, "users.0.name", "Eve")
    assert document["users"][0]["name"] == "Eve"


def test_load():
    assert load('{"a": [1, 2]}', "a.-1") == 2
