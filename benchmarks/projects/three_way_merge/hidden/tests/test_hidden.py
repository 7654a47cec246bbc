import pytest

from recordmerge import Conflict, merge


def test_both_take_it_away():
    assert merge({"a": 1, "b": 2}, {"b": 2}, {"b": 2}) == {"b": 2}


def test_one_takes_away_what_the_other_changes():
    with pytest.raises(Conflict) as caught:
        merge({"a": 1}, {}, {"a": 2})
    assert caught.value.keys == {"a"}


def test_both_add():
    assert merge({}, {"a": [1]}, {"a": [1]}) == {"a": [1]}
    with pytest.raises(Conflict):
        merge({}, {"a": [1]}, {"a": [2]})


def test_none_is_a_value():
    assert merge({"a": 1}, {"a": None}, {"a": 1}) == {"a": None}
