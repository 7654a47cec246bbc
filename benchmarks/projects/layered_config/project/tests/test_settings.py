import pytest

from settings import Config, merge
from settings.layers import DROP


def test_later_is_stronger():
    assert merge({"a": 1, "b": 2}, {"b": 3}) == {"a": 1, "b": 3}


def test_tables_are_merged():
    assert merge({"t": {"a": 1, "b": 2}}, {"t": {"b": 3}}) == {"t": {"a": 1, "b": 3}}


def test_table_replaces_a_value():
    assert merge({"t": 1}, {"t": {"a": 1}}) == {"t": {"a": 1}}


def test_drop():
    assert merge({"a": 1, "b": 2}, {"a": DROP}) == {"b": 2}


def test_get():
    assert Config({"log": {"level": "debug"}}).get("log.level") == "debug"
    with pytest.raises(KeyError):
        Config().get("log.colour")


def test_configs_are_independent():
    first, second = Config(), Config()
    first.set("cache.size", 1)
    assert second.get("cache.size") == 64
