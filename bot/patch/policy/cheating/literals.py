"""Values that are written out in code, and whether one is particular enough to be a test's own."""

import ast

from bot.patch.syntax import MISSING, literal_value


def literal(node: ast.expr) -> object:
    """The value of a literal, frozen; ``MISSING`` for anything else."""
    try:
        value = _frozen(literal_value(node))
        hash(value)
    except (TypeError, RecursionError):
        return MISSING
    return value


def _frozen(value: object) -> object:
    match value:
        case list() | tuple():
            return tuple(_frozen(item) for item in value)
        case set() | frozenset():
            return frozenset(_frozen(item) for item in value)
        case dict():
            return tuple((_frozen(key), _frozen(item)) for key, item in value.items())
    return value


def is_edge(value: object) -> bool:
    """Whether ``value`` is what many a function has to treat by itself: nothing, or the first of all."""
    return value in (0, 1, -1, None, "", b"", ()) or isinstance(value, bool)


def is_informative(value: object) -> bool:
    """Whether ``value`` is particular enough to be a test's own: not a small number, not empty."""
    if value is None or isinstance(value, bool):
        return False
    if isinstance(value, int | float):
        return not (-2 <= value <= 10 and value == int(value))
    if isinstance(value, str | bytes | tuple | frozenset):
        return len(value) > 0
    return True
