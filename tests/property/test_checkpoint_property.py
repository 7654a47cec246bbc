"""A checkpoint gives back exactly the state that was saved, whatever is in it."""

import dataclasses
import enum
import json
import typing
from collections.abc import Mapping

import pytest
from every_case import every_case
from hypothesis import given
from hypothesis import strategies as st

from bot.agent.checkpoint import StateSerializer
from bot.agent.state import RepairState
from bot.domain import SpanEdit
from bot.result import Outcome
from examples import examples

SERIALIZER = StateSerializer()

# Every plane, lone surrogates included: they stand for bytes of a file that are not UTF-8.
TEXT = st.text(st.characters() | st.sampled_from("\udcff\udc80\ud800\0\n\u2028\"\\'!"), max_size=8)
NUMBER = st.floats(allow_nan=False)
LINES = st.dictionaries(TEXT, st.lists(st.integers(), max_size=3).map(tuple), max_size=2)


def of(annotation):
    """A strategy for values of one annotation of the state."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if type(None) in arguments:
        (inner,) = (argument for argument in arguments if argument is not type(None))
        return st.none() | of(inner)
    if origin is tuple and arguments[-1] is Ellipsis:
        return st.lists(of(arguments[0]), max_size=2).map(tuple)
    if origin is tuple:
        return st.tuples(*map(of, arguments))
    if origin is Mapping:
        return LINES
    if dataclasses.is_dataclass(annotation):
        hints = typing.get_type_hints(annotation)
        fields = [field.name for field in dataclasses.fields(annotation)]
        return st.builds(annotation, **{name: of(hints[name]) for name in fields})
    if isinstance(annotation, enum.EnumMeta):
        return st.sampled_from(annotation)
    return {str: TEXT, int: st.integers(), float: NUMBER, bool: st.booleans()}[annotation]


STATES = of(RepairState)
# What the library itself saves beside the state: plain containers of plain values.
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | NUMBER | TEXT | st.sampled_from(Outcome),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(TEXT | st.integers() | st.sampled_from(["!", "value", "type"]), inner, max_size=3)
        | st.frozensets(st.integers() | TEXT, max_size=3)
        | st.sets(st.integers(), max_size=3)
    ),
    max_leaves=12,
)


def same(one, other):
    """Equality that tells a tuple from a list, an enum from its text, 1 from True."""
    if type(one) is not type(other):
        return False
    if dataclasses.is_dataclass(one):
        return all(same(getattr(one, f.name), getattr(other, f.name)) for f in dataclasses.fields(one))
    if isinstance(one, dict):
        return len(one) == len(other) and all(
            same(k1, k2) and same(one[k1], other[k2]) for k1, k2 in zip(one, other, strict=True)
        )
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


@pytest.mark.slow
@examples(60)
@given(STATES)
def test_a_state_comes_back_as_it_was(state):
    kind, data = SERIALIZER.dumps_typed(state)
    back = SERIALIZER.loads_typed((kind, data))
    assert same(back, state)
    assert SERIALIZER.dumps_typed(back) == (kind, data)


@examples(100)
@given(PLAIN)
def test_plain_values_come_back_as_they_were(value):
    assert same(SERIALIZER.loads_typed(SERIALIZER.dumps_typed(value)), value)


@given(st.floats())
def test_every_float_comes_back(number):
    assert repr(SERIALIZER.loads_typed(SERIALIZER.dumps_typed((number,)))) == repr((number,))


@dataclasses.dataclass(frozen=True)
class Foreign:
    path: str


@dataclasses.dataclass(frozen=True)
class Impostor:
    path: str
    start: int = 0
    end: int = 0
    text: str = ""


Impostor.__name__ = "SpanEdit"


class Hue(enum.StrEnum):
    RED = "patched"


class Name(str):
    __slots__ = ()


@every_case(
    "value",
    [
        Foreign("x"),
        Impostor("x"),
        Hue.RED,
        Name("x"),
        object(),
        b"bytes",
        1j,
        Foreign,
        SpanEdit,
        range(3),
        print,
    ],
)
@every_case("wrap", [lambda v: v, lambda v: [v], lambda v: {"key": (v,)}])
def test_a_foreign_type_is_not_saved(value, wrap):
    with pytest.raises(TypeError, match="no checkpoint holds a"):
        SERIALIZER.dumps_typed(wrap(value))


EDIT = {"path": "x", "start": 0, "end": 0, "replacement": ""}


@every_case(
    "value",
    [
        {"!": "data", "type": "Foreign", "value": {"path": "x"}},
        {"!": "data", "type": "Popen", "value": {"args": ["id"]}},
        {"!": "enum", "type": "Color", "value": 1},
        {"!": "data", "type": "Outcome", "value": {"value": "patched"}},
        {"!": "enum", "type": "SpanEdit", "value": "x"},
        {"!": "enum", "type": "Outcome", "value": "no such outcome"},
        {"!": "data", "type": "SpanEdit", "value": {**EDIT, "mode": 7}},
        {"!": "bytes", "value": "x"},
        {"!": "data", "value": {}},
        {"!": "tuple"},
        {"type": "SpanEdit", "value": EDIT},
        [{"!": "dict", "value": [["key", {"!": "data", "type": "Foreign", "value": {}}]]}],
    ],
)
def test_a_foreign_type_is_not_built(value):
    with pytest.raises(ValueError, match="a checkpoint may not hold"):
        SERIALIZER.loads_typed(("regreen-json", json.dumps(value).encode()))


@every_case("kind", ["pickle", "msgpack", "json", ""])
def test_another_format_is_refused(kind):
    with pytest.raises(ValueError, match="a checkpoint in another format"):
        SERIALIZER.loads_typed((kind, b"null"))


def test_an_error_is_saved_as_text_for_people():
    saved = SERIALIZER.dumps_typed(RuntimeError("no \udcff"))
    assert SERIALIZER.loads_typed(saved) == repr(RuntimeError("no \udcff"))


def test_the_types_of_the_loop_are_on_the_list():
    assert same(
        SERIALIZER.loads_typed(
            ("regreen-json", json.dumps({"!": "data", "type": "SpanEdit", "value": EDIT}).encode())
        ),
        SpanEdit(**EDIT),
    )


def test_long_tuples_are_encoded_once_and_never_taken_for_each_other():
    serializer = StateSerializer()
    for start in range(100):  # more than are kept, each freed before the next one is made
        value = tuple(range(start, start + 200))
        assert serializer.loads_typed(serializer.dumps_typed((value, value))) == (value, value)
