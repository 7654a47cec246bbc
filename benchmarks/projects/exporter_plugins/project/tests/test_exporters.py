import pytest

from exporters import available, export
from exporters.json_lines import to_json_lines
from exporters.registry import UnknownFormat, exporter


def test_available():
    assert {"jsonl", "plain"} <= set(available())


def test_export():
    assert export([{"b": 1, "a": 2}], "ndjson") == '{"a": 2, "b": 1}\n'


def test_plain():
    assert export([{"a": 1}, {"a": 2}], "txt") == "a: 1\n\na: 2\n"


def test_unknown():
    with pytest.raises(UnknownFormat):
        export([], "xls")


def test_functions_can_be_called_themselves():
    assert to_json_lines([{"a": 1}]) == '{"a": 1}\n'


def test_taken():
    with pytest.raises(ValueError, match="plain is taken"):
        exporter("plain")(str)
