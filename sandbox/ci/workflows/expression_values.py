"""Values of a workflow's expressions: how they are compared, shown and combined, and functions on them."""

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

Value = Any  # what JSON holds: None, bool, float, str, list, dict

MAX_VALUE = 10_000
"""Characters of a string that a function makes: calls within calls could make each longer than the last."""


def truthy(value: Value) -> bool:
    """Null, false, 0, NaN and the empty string are false."""
    if isinstance(value, float) and math.isnan(value):
        return False
    return bool(value) or isinstance(value, list | dict)


def as_text(value: Value) -> str:
    """The value as it stands in a script."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, default=str)
    except (TypeError, ValueError, RecursionError):  # a key that is no text, a number of too many digits
        return ""


def member(value: Value, key: Value) -> Value:
    """``value.key`` or ``value[key]``; null where there is none, and a list of all for ``*``."""
    if key == "*":
        return list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    if isinstance(value, dict):
        wanted = as_text(key).lower()
        return next((held for name, held in value.items() if str(name).lower() == wanted), None)
    if isinstance(value, list) and isinstance(key, float) and 0 <= key < len(value):
        return value[int(key)]
    if isinstance(value, list) and isinstance(key, str):  # a filter: .* before it
        return [member(item, key) for item in value]
    return None


def combined(operator: str, left: Value, right: Value) -> Value:
    """The value of a binary operator."""
    match operator:
        case "||":
            return left if truthy(left) else right
        case "&&":
            return right if truthy(left) else left
        case "==":
            return _equal(left, right)
        case "!=":
            return not _equal(left, right)
    one, other = _number(left), _number(right)
    if isinstance(left, str) and isinstance(right, str):
        one, other = (left.lower() > right.lower()) - (left.lower() < right.lower()), 0
    return {"<": one < other, "<=": one <= other, ">": one > other, ">=": one >= other}[operator]


def _equal(left: Value, right: Value) -> bool:
    if isinstance(left, str) and isinstance(right, str):
        return left.lower() == right.lower()
    if isinstance(left, list | dict) or isinstance(right, list | dict):
        return left is right
    if type(left) is type(right):
        return bool(left == right)
    return _number(left) == _number(right)


def _number(value: Value) -> float:
    if value is None or value == "":
        return 0.0
    if isinstance(value, bool | int | float):
        return _as_float(value)
    try:
        return float(value)
    except (TypeError, ValueError):
        return math.nan


def _as_float(value: float) -> float:
    """A file's integer may have more digits than a float can hold."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _contains(where: Value, what: Value) -> bool:
    if isinstance(where, list):
        return any(_equal(item, what) for item in where)
    return as_text(what).lower() in as_text(where).lower()


def _format(pattern: Value, *values: Value) -> str:
    texts = [as_text(value) for value in values]
    size = 0

    def replaced(found: re.Match[str]) -> str:
        nonlocal size
        text = found[0][0] if found[1] is None else texts[int(found[1])]
        size += len(text)
        _check_length(size)
        return text

    return re.sub(r"\{\{|\}\}|\{(\d{1,9})\}", replaced, as_text(pattern))


def _join(items: Value, glue: Value = ",") -> str:
    texts = [as_text(item) for item in (items if isinstance(items, list) else [items])]
    between = as_text(glue)
    _check_length(sum(map(len, texts)) + len(between) * len(texts))
    return between.join(texts)


def _check_length(size: int) -> None:
    if size > MAX_VALUE:
        raise ValueError(f"the value has more than {MAX_VALUE} characters")


def _from_json(text: Value) -> Value:
    # What another job would output is null, and stays that.
    return None if text is None else json.loads(as_text(text), parse_int=float)


FUNCTIONS: Mapping[str, Callable[..., Value]] = {
    "contains": _contains,
    "startswith": lambda text, start: as_text(text).lower().startswith(as_text(start).lower()),
    "endswith": lambda text, end: as_text(text).lower().endswith(as_text(end).lower()),
    "format": _format,
    "join": _join,
    "tojson": lambda value: json.dumps(value, default=str),
    "fromjson": _from_json,
    "success": lambda: True,
    "always": lambda: True,
    "failure": lambda: False,
    "cancelled": lambda: False,
}
