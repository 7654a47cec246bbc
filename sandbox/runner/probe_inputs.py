"""Inputs for a probe: those with which the tests called a function, and small variations of them.

Whether a variation is *near* is judged by all recorded inputs together: negative numbers are far where no
test has one, and so are empty, unsorted or longer lists where all are filled, sorted or of one length. What
is far may break a promise that the function relies on, so that a difference there shows less.
"""

from __future__ import annotations

import copy
import inspect
import re
from itertools import chain, islice, zip_longest
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from .probe_outcome import canonical, shorten
from .probe_recorder import Call

VARIED_LIMIT = 90
PER_ARGUMENT, PER_ATTRIBUTE = 14, 4
VARIED_ATTRIBUTES = (bool, int, float, str, list, tuple, dict, set, frozenset)
PLAIN = (type(None), bool, int, float, str, bytes, tuple)
Varied = Tuple[Any, bool]
Promised = Dict[Union[int, str], List[Any]]
"""By place, or by name where that is needed: values that a parameter may have."""


class Input(NamedTuple):
    """``parent`` is the number of the recorded input that this one varies; its own where it varies none."""

    call: Call
    parent: int
    near: bool
    text: str


def make_inputs(
    calls: Sequence[Call],
    names: Sequence[str],
    promised: Optional[Dict[int, Promised]] = None,
    *,
    inputs: List[Input],
) -> None:
    """Add to ``inputs`` the recorded ones and then variations of each, taken in turns.

    What is there is whole at any time. ``names`` are the targets'; ``promised`` says for each of them which
    values its signature promises to take.
    """
    seen: "set[str]" = set()

    def add(call: Call, parent: Optional[int], near: bool) -> None:
        key = "%d %s" % (call.target, canonical(call[1:]))
        if key not in seen:
            seen.add(key)
            number = len(inputs) if parent is None else parent
            inputs.append(Input(call, number, near, describe(call, names[call.target])))

    for call in calls:
        add(call, None, True)
    recorded = len(inputs)
    streams = [(number, variations(inputs[number].call, calls, promised or {})) for number in range(recorded)]
    while streams and len(inputs) < recorded + VARIED_LIMIT:
        for number, stream in list(streams):
            try:
                call, near = next(stream)
            except StopIteration:
                streams.remove((number, stream))
                continue
            if len(inputs) < recorded + VARIED_LIMIT:
                add(call, number, near)


def describe(call: Call, name: str) -> str:
    """The call as a person would write it, shortened."""
    parts = [canonical(value) for value in call.positional]
    parts += ["%s=%s" % (key, canonical(value)) for key, value in call.named.items()]
    return shorten("%s(%s)" % (name, ", ".join(parts)))


def promised_values(function: Any) -> Promised:
    """For each parameter its default, and None where its annotation allows that."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except Exception:  # an annotation that cannot be evaluated may raise anything
        return {}
    found: Promised = {}
    for place, parameter in enumerate(parameters):
        values = [] if parameter.default is parameter.empty else [parameter.default]
        words = re.findall(r"\w+", str(parameter.annotation))
        if parameter.annotation is not parameter.empty and {"None", "NoneType", "Optional"} & set(words):
            values.append(None)
        key = parameter.name if parameter.kind is parameter.KEYWORD_ONLY else place
        found[key] = [value for value in values if isinstance(value, PLAIN)]
    return found


def variations(
    call: Call, calls: Sequence[Call] = (), promised: Optional[Dict[int, Promised]] = None
) -> Iterator[Tuple[Call, bool]]:
    """``call`` with one argument changed, the arguments taken in turns; each with whether it is near."""
    fellows = [other for other in calls if other.target == call.target]
    streams: List[Tuple[Any, Iterator[Varied]]] = []
    own = (promised or {}).get(call.target, {})

    def varied(key: Any, value: Any, pool: List[Any]) -> Tuple[Any, Iterator[Varied]]:
        others = [(other, True) for other in own.get(key, []) if other is not value]
        return key, chain(others, vary(value, pool))

    for place, value in enumerate(call.positional):
        pool = [other.positional[place] for other in fellows if place < len(other.positional)]
        streams.append(varied(place, value, pool))
    for name, value in call.named.items():
        pool = [other.named[name] for other in fellows if name in other.named]
        streams.append(varied(name, value, pool))
    for _round in range(PER_ARGUMENT):
        for place, stream in streams:
            try:
                value, near = next(stream)
            except StopIteration:
                continue
            if isinstance(place, int):
                changed = (*call.positional[:place], value, *call.positional[place + 1 :])
                yield call._replace(positional=changed), near
            else:
                yield call._replace(named=dict(call.named, **{place: value})), near


def vary(value: Any, pool: Sequence[Any]) -> Iterator[Varied]:
    """Small variations of ``value``, each with whether it is near to the values of ``pool``."""
    kind = type(value)
    if kind is bool:
        yield not value, True
    elif kind is int:
        yield from _numbers(value, (value + 1, value - 1, value * 2, value // 2, 0, -value, value + 7), pool)
    elif kind is float:
        others = (value + 1.0, value / 2, value - 1.0, value + 0.25, 0.0, -value, value * 10)
        yield from _numbers(value, others, pool)
    elif kind is str:
        yield from _texts(value, [item for item in pool if type(item) is str])
    elif kind in (list, tuple):
        yield from _lists(value, [item for item in pool if type(item) is kind])
    elif kind is dict:
        yield from _dicts(value, [item for item in pool if type(item) is dict])
    elif kind in (set, frozenset):
        fellows = [sorted(item, key=repr) for item in pool if type(item) is kind]
        for items, near in _lists(sorted(value, key=repr), fellows):
            yield kind(items), near
    elif (
        type(getattr(value, "__dict__", None)) is dict and not isinstance(value, type) and not callable(value)
    ):
        yield from _objects(value, [item for item in pool if type(item) is kind])


def _numbers(value: Any, proposed: Sequence[Any], pool: Sequence[Any]) -> Iterator[Varied]:
    """``proposed``, near where zero and signs were met before; then what other calls had."""
    seen = [item for item in pool if isinstance(item, (int, float)) and not isinstance(item, bool)]
    lowest = min(seen, default=value)
    for number in proposed:
        if number != value:
            yield number, number >= min(lowest, 1)
    for other in pool[:3]:
        yield other, True


def _texts(value: str, pool: Sequence[str]) -> Iterator[Varied]:
    both_cases = any(map(str.isupper, "".join(pool))) and any(map(str.islower, "".join(pool)))
    same_length = _alike(pool)
    half = len(value) // 2
    others = [text for text in pool if text != value][:2]
    yield value[1:], not same_length and len(value) > 1
    yield value[::-1], True
    yield value + value, not same_length
    yield value[:-1], not same_length and len(value) > 1
    yield value.swapcase(), both_cases
    yield value[:half] + value[half + 1 :], not same_length and len(value) > 1
    for other in others:
        yield value + other, not same_length
        yield other, True
    yield "".join(sorted(value)), True
    yield value[:1], not same_length and len(value) > 0
    yield value[half:] + value[:half], True
    yield "", "" in pool


def _lists(value: Any, pool: Sequence[Any]) -> Iterator[Varied]:
    kind = type(value)
    items = list(value)
    same_length, all_sorted = _alike(pool), all(map(_is_sorted, pool)) and len(items) > 1
    half = len(items) // 2

    def judged(changed: List[Any]) -> Varied:
        near = bool(changed) or any(not len(other) for other in pool)
        near = near and not (same_length and len(changed) != len(items))
        return kind(changed), near and (not all_sorted or _is_sorted(changed))

    elements = [element for other in pool for element in other]
    first = _first_varied(items, elements)
    for changed in (items[1:], items[::-1], items[:1] + items, items[:-1], first, items + items):
        yield judged(changed)
    yield judged(items[:half] + items[half + 1 :])
    yield judged(_first_varied(items[::-1], elements)[::-1])
    for other in [list(other) for other in pool if other != value][:2]:
        yield judged(items + other)
        yield judged(other)
    for changed in (items[half:] + items[:half], items[:1], items + items[-1:], []):
        yield judged(changed)


def _first_varied(items: List[Any], elements: List[Any]) -> List[Any]:
    """``items`` with a near variation in the place of the first."""
    if not items:
        return items
    near = (changed for changed, is_near in vary(items[0], elements) if is_near)
    return [next(near, items[0]), *items[1:]]


def _dicts(value: Dict[Any, Any], pool: Sequence[Dict[Any, Any]]) -> Iterator[Varied]:
    keys = list(value)
    elements = [item for other in pool for item in other.values()]
    # Keys that all have may be fields of a record, which none can be without.
    loose = len({frozenset(map(repr, other)) for other in pool}) > 1
    if keys:
        yield {key: value[key] for key in keys[1:]}, loose and (len(keys) > 1 or {} in pool)
        yield {key: value[key] for key in reversed(keys)}, True
        for key in keys[:3]:
            near = (changed for changed, is_near in vary(value[key], elements) if is_near)
            yield dict(value, **{key: next(near, value[key])}) if isinstance(key, str) else value, True
    for other in pool[:2]:
        yield {**value, **other}, True
    yield {}, {} in pool


def _objects(value: Any, pool: Sequence[Any]) -> Iterator[Varied]:
    """``value`` with one attribute varied, the attributes taken in turns."""
    streams = [
        (name, islice(vary(own, [vars(item).get(name, own) for item in pool]), PER_ATTRIBUTE))
        for name, own in vars(value).items()
        if type(own) in VARIED_ATTRIBUTES
    ]
    for turn in zip_longest(*(stream for _name, stream in streams)):
        for (name, _stream), found in zip(streams, turn):
            if found is not None:
                try:
                    changed = copy.copy(value)
                    vars(changed)[name] = found[0]
                except Exception:  # the class's own copying
                    return
                yield changed, found[1]


def _alike(pool: Sequence[Any]) -> bool:
    """Whether there are several and all are of one length: then that may be a rule."""
    return len(pool) > 2 and len({len(item) for item in pool}) == 1


def _is_sorted(items: Any) -> bool:
    try:
        return all(a <= b for a, b in zip(items, items[1:]))
    except Exception:  # the items' own comparison
        return False
