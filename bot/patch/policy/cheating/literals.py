"""Values that are written out in code, and whether one is particular enough to be a test's own."""

import ast

MISSING = object()
_NOT_LITERAL = (ValueError, TypeError, SyntaxError, MemoryError, RecursionError)


def literal(node: ast.expr) -> object:
    """The value of a literal, frozen; ``MISSING`` for anything else."""
    try:
        value = _frozen(ast.literal_eval(node))
        hash(value)
    except _NOT_LITERAL:
        return MISSING
    return value


def is_literal(node: ast.expr) -> bool:
    """Whether a value is written out, even one that cannot be frozen."""
    try:
        ast.literal_eval(node)
    except _NOT_LITERAL:
        return False
    return True


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
