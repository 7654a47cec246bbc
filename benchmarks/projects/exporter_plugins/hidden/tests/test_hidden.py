from exporters import export
from exporters.plain import to_plain
from exporters.registry import exporter


def test_decorated_function_is_itself():
    def count(records):
        return str(len(records))

    assert exporter("count-a", "count-b")(count) is count
    assert count.format_name == "count-a"
    assert export([1, 2], "count-b") == "2"
    assert to_plain([]) == ""
