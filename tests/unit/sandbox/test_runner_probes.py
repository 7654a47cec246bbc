"""What a probe records of the tests' calls, varies, and says of what the calls come to."""

import asyncio
import io
import os
from pathlib import Path
from typing import Optional

from every_case import every_case

from sandbox.runner.probe_inputs import make_inputs, promised_values, vary
from sandbox.runner.probe_outcome import value_outcome
from sandbox.runner.probe_recorder import Call, CallRecorder
from sandbox.runner.probe_variant import LoadedVariant


def greet(name: "str | None", times=2, *, mark: Optional[str] = "!", where=object()):  # noqa: B008, UP045
    return f"{name}{mark}" * times


def broken(name: "no_such_name[" = 3):  # noqa: F722
    return name


def test_a_signature_promises_its_defaults_and_none():
    assert promised_values(greet) == {0: [None], 1: [2], "mark": ["!", None], "where": []}
    assert promised_values(broken) == {0: [3]}
    assert promised_values(len) in ({}, {0: []})
    assert promised_values(3) == {}


def test_promised_values_are_tried_first_and_are_near():
    call = Call(0, ("ada", 3), {"mark": "?", "where": 1})
    inputs = []
    make_inputs([call], ["greet"], {0: promised_values(greet)}, inputs=inputs)
    texts = [entry.text for entry in inputs if entry.near]
    assert texts[0] == "greet('ada', 3, mark='?', where=1)"
    assert texts[1] == "greet(None, 3, mark='?', where=1)"
    assert {"greet('ada', 2, mark='?', where=1)", "greet('ada', 3, mark='!', where=1)"} <= set(texts[2:6])
    assert "greet('ada', 3, mark=None, where=1)" in texts
    assert len(texts) == len(set(texts))


def test_no_path_is_resolved_again_for_each_version(monkeypatch):
    def local():
        pass

    loaded = LoadedVariant({__file__: Path(__file__).read_text(encoding="utf-8")})
    monkeypatch.setattr(os.path, "realpath", None)
    assert loaded.function(local.__code__) is local
    assert loaded.space(__file__)["greet"] is greet
    assert loaded.space("/no/such/file.py") is None


def test_without_a_signature_there_are_variations_all_the_same():
    inputs = []
    make_inputs([Call(0, (1,), {})], ["f"], inputs=inputs)
    assert len(inputs) == 5


class Pages:
    def __init__(self, items, size):
        self.items, self.size, self.opened = items, size, open


class Shy:
    def __init__(self):
        self.size = 3

    def __copy__(self):
        raise ValueError("no copies")


def test_one_attribute_of_an_object_is_varied_at_a_time():
    first, second = Pages([1, 2, 3], 2), Pages([1], 5)
    found = list(vary(first, [first, second]))
    assert (first.items, first.size) == ([1, 2, 3], 2)
    assert all((one.items == [1, 2, 3]) != (one.size == 2) for one, _near in found)
    assert ([2, 3], True) in [(one.items, near) for one, near in found]
    assert {3, 1, 4} <= {one.size for one, _near in found}
    assert list(vary(Shy(), [])) == []
    assert list(vary(Pages, [])) == list(vary(len, [])) == []


def adder(n):
    return lambda x: x + n


class Holder:
    def __init__(self, **attributes):
        vars(self).update(attributes)


@every_case(
    "value",
    [
        adder(1),
        [adder(1)],
        {"f": adder(2)},
        io.StringIO("a"),
        object(),
        Holder(f=adder(1)),
        [Holder(f=object())],
    ],
)
def test_a_value_of_which_only_the_address_is_seen_says_nothing(value):
    assert value_outcome(value, "[]", []) is None


@every_case(
    "value",
    [None, 1, "at 0x12", int, [1.5, {"a": (2,)}], ValueError("x"), range(3), Holder(f=adder(1), total=4)],
)
def test_other_values_are_compared(value):
    assert value_outcome(value, "[]", [])[0] == "value"


def plain(n, *rest, key=0, **more):
    n += 1
    return n


def plain_text(stream):
    return str(stream)


def generator(n):
    while n:
        yield n
        n -= 1


def delegating(n):
    yield from range(n)
    n = 7
    yield n


async def waiting(n):
    await asyncio.sleep(0)
    n = 8  # noqa: F841 - the argument is another one from here on
    await asyncio.sleep(0)


async def asynchronous(n):
    for number in range(2):
        n = 9  # noqa: F841
        yield number


async def consume(n):
    return [number async for number in asynchronous(n)]


def recorded(code, run):
    """The calls of what has ``code`` that were kept, and those that could not be."""
    tried = []
    recorder = CallRecorder(
        {(code.co_filename, code.co_name, code.co_firstlineno): 0}, lambda call, _frame: tried.append(call)
    )
    recorder.start()
    try:
        run()
    finally:
        recorder.stop()
    return [[(call.positional, call.named) for call in calls] for calls in (recorder.calls, tried)]


def test_a_call_is_recorded_as_it_was_made():
    calls = recorded(plain.__code__, lambda: [plain(1), plain(1), plain(2, 3, key=4, other=5)])
    assert calls == [[((1,), {"key": 0}), ((2, 3), {"key": 4, "other": 5})], []]


def test_what_cannot_be_copied_or_sees_another_function_is_tried_at_once():
    opened = io.BytesIO(b"x")
    with memoryview(b"abc") as view:
        kept, tried = recorded(plain_text.__code__, lambda: [plain_text(opened), plain_text(view)])
        assert (len(kept), tried) == (1, [((view,), {})])
    inner = adder(3)
    assert recorded(inner.__code__, lambda: inner(4)) == [[], [((4,), {})]]


@every_case(
    ("function", "run"),
    [
        (generator, lambda: list(generator(3))),
        (delegating, lambda: list(delegating(3))),
        (waiting, lambda: asyncio.run(waiting(3))),
        (asynchronous, lambda: asyncio.run(consume(3))),
    ],
)
def test_what_goes_on_is_not_called_again(function, run):
    assert recorded(function.__code__, run) == [[((3,), {})], []]
