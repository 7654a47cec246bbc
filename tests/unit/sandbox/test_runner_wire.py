"""What comes through the test process's pipe: any bytes at all, of which only marked lines are events."""

import json
import os
import struct
from itertools import pairwise

import pytest
from cost import cost
from every_case import every_case
from hypothesis import given
from hypothesis import strategies as st

from sandbox.runner import frames, wire
from sandbox.runner.attempt import is_sound
from sandbox.runner.wire import Wire, WireReader

TOKEN = "0123456789abcdef" * 2
EVENTS = st.lists(st.fixed_dictionaries({"t": st.text(), "id": st.text()}), max_size=5)


def cut(data, places):
    edges = sorted({0, len(data), *(place % (len(data) + 1) for place in places)})
    return [data[one:two] for one, two in pairwise(edges)]


@given(data=st.binary(max_size=300), places=st.lists(st.integers(0, 300), max_size=5))
def test_whatever_is_written_without_the_token_is_no_event(data, places):
    reading = WireReader(TOKEN)
    assert [event for chunk in cut(data, places) for event in reading.feed(chunk)] == []


@given(events=EVENTS, noise=st.binary(max_size=50), places=st.lists(st.integers(0, 2000), max_size=8))
def test_events_come_through_whole_however_they_are_cut(events, noise, places):
    data = noise.replace(b"\n", b"") + b"\n"
    data += b"".join(TOKEN.encode() + json.dumps(event).encode() + b"\n" for event in events)
    reading = WireReader(TOKEN)
    assert [event for chunk in cut(data, places) for event in reading.feed(chunk)] == events


NESTED = "[" * 100_000 + "]" * 100_000
DEEP = pytest.param(f'{{"t": "x", "y": {NESTED}}}', id="deep")


@every_case("text", ["", "{", "[]", "3", '"t"', "{}", '{"t": 1}', "\xff", '{"t": "x"} {}', DEEP])
def test_a_marked_line_that_is_no_event_is_dropped(text):
    assert WireReader(TOKEN).feed(TOKEN.encode() + text.encode("latin-1") + b"\n") == []


def test_a_line_without_an_end_takes_linear_time():
    reading = WireReader(TOKEN)

    def feed():
        for _ in range(400):
            assert reading.feed(b"x" * 65536) == []
        assert reading.feed(b"\n" + TOKEN.encode() + b'{"t": "after"}\n') == [{"t": "after"}]

    assert cost(feed) < 100


def test_a_line_that_is_too_long_is_dropped_and_the_next_one_read(monkeypatch):
    monkeypatch.setattr(wire, "LINE_LIMIT_BYTES", 50)
    reading = WireReader(TOKEN)
    long = TOKEN.encode() + b'{"t": "' + b"x" * 100 + b'"}'
    assert [event for place in range(0, 200, 20) for event in reading.feed(long[place : place + 20])] == []
    assert reading.feed(b"\n" + TOKEN.encode() + b'{"t": "after"}\n') == [{"t": "after"}]


def test_a_forked_process_has_no_say():
    read_fd, write_fd = os.pipe()
    wire = Wire(write_fd)
    wire.send({"t": "before"})
    wire.open(TOKEN)
    pid = os.fork()
    if pid == 0:
        try:
            wire.send({"t": "child"})
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    wire.send({"t": "parent"})
    os.close(write_fd)
    with os.fdopen(read_fd, "rb") as stream:
        assert WireReader(TOKEN).feed(stream.read()) == [{"t": "parent"}]


def test_nothing_can_be_put_in_the_place_of_its_parts():
    wire = Wire(1)
    for name in ("send", "open", "_dumps", "_write"):
        with pytest.raises(AttributeError):
            setattr(wire, name, print)


@every_case(
    ("changed", "sound"),
    [
        ({}, True),
        ({"frames": [["a.py", 3, "f"]], "lines": {"a.py": [1]}, "comparison": ["==", "1", "2"]}, True),
        ({"id": 3}, False),
        ({"seconds": "soon"}, False),
        ({"frames": [[1, 2, 3]]}, False),
        ({"lines": {"a.py": ["x"]}}, False),
        ({"comparison": "=="}, False),
        ({"comparison": ["==", ["1"], "2"]}, False),
        ({"message": {"not": "a text"}}, False),
        ({"exception": None}, False),
        ({"seconds": float("nan")}, False),
        ({"seconds": float("inf")}, False),
        ({"seconds": 10**400}, False),
        ({"seconds": -1.0}, False),
    ],
)
def test_a_result_has_the_shape_that_the_host_expects(changed, sound):
    assert is_sound({"id": "a::b", "status": "passed", **changed}) is sound


def reader(data):
    rest = memoryview(data)

    def read(count):
        nonlocal rest
        chunk, rest = bytes(rest[:count]), rest[count:]
        return chunk

    return read


@given(header=st.dictionaries(st.text(), st.integers()), body=st.binary(max_size=100))
def test_a_message_comes_out_as_it_went_in(header, body):
    assert frames.receive_by(reader(frames.pack(header, body))) == (header, body)


@every_case("length", range(0, 20, 3))
def test_a_message_that_ends_early_is_none(length):
    assert frames.receive_by(reader(frames.pack({"op": "x"}, b"body")[:length])) is None


def test_a_message_that_is_too_long_is_refused_before_it_is_read():
    with pytest.raises(ValueError, match="a message of"):
        frames.receive_by(reader(struct.pack(">II", 8, frames.LIMIT_BYTES)))


@every_case("text", [b"", b"{", b"[]", b"null", b"\xff\xff", pytest.param(NESTED.encode(), id="deep")])
def test_a_header_that_is_no_object_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011 - json's own message
        frames.receive_by(reader(struct.pack(">II", len(text), 0) + text))
