"""The host that a TLS client's first message names."""

import pytest
from fakes.tls import hello

from sandbox.environment.server_name import server_name


@pytest.mark.parametrize(
    ("record", "name"),
    [
        (hello("Api.Example.org")[5:], "api.example.org"),
        (hello("api.example.org.")[5:], "api.example.org"),
        (hello(None)[5:], ""),
        (hello("api.example.org")[5:-20], ""),
        (b"", ""),
        (b"\x01\x00\x00\x00", ""),
        (b"\x02" + hello("api.example.org")[6:], ""),
        (hello("api.example.org")[5:] + b"\x01", ""),
    ],
)
def test_the_server_s_name_is_read_of_a_whole_hello_only(record, name):
    assert server_name(record) == name


def test_a_hello_that_hides_a_name_names_none():
    record = hello("api.example.org")[5:]
    hidden = b"\xfe\x0d\x00\x01\x00"
    at = record.index(b"api.example.org") - 9
    count = int.from_bytes(record[at - 2 : at], "big") + len(hidden)
    longer = record[: at - 2] + count.to_bytes(2, "big") + hidden + record[at:]
    whole = b"\x01" + (len(longer) - 4).to_bytes(3, "big") + longer[4:]
    assert server_name(b"\x01" + (len(record) - 4).to_bytes(3, "big") + record[4:]) == "api.example.org"
    assert server_name(whole) == ""
