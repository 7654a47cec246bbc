import pytest

from recordmerge import Conflict, changes, merge

BASE = {"name": "Ann", "city": "Rome", "tags": ["a"]}


def test_no_change():
    assert merge(BASE, dict(BASE), dict(BASE)) == BASE


def test_changed_values():
    assert changes(BASE, {**BASE, "city": "Bonn"}) == {"city": "Bonn"}


def test_each_side_changes_something():
    merged = merge(BASE, {**BASE, "city": "Bonn"}, {**BASE, "name": "Anna"})
    assert merged == {"name": "Anna", "city": "Bonn", "tags": ["a"]}


def test_conflict():
    with pytest.raises(Conflict, match="changed on both sides: city"):
        merge(BASE, {**BASE, "city": "Bonn"}, {**BASE, "city": "Oslo"})


def test_equal_changes():
    assert merge(BASE, {**BASE, "tags": ["a", "b"]}, {**BASE, "tags": ["a", "b"]})["tags"] == ["a", "b"]


def test_added():
    assert merge(BASE, {**BASE, "age": 30}, BASE)["age"] == 30


def test_taken_away():
    assert merge(BASE, BASE, {"name": "Ann", "tags": ["a"]}) == {"name": "Ann", "tags": ["a"]}
