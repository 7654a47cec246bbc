"""What a test asserts, replaced by the value that a change means it to have."""

import ast
from collections.abc import Iterable, Mapping
from functools import cache

from bot.domain import Patch, SpanEdit
from bot.search.difference.expectation import Expectation
from bot.search.source import parse


def adapted(outdated: Iterable[Expectation], sources: Mapping[str, str]) -> Patch | None:
    """The patch that puts the new value for the old literal of each assertion.

    None where several could be the literal of one, or where two tests want different values of one.
    """
    edits: dict[tuple[str, int], SpanEdit] = {}
    parsed_once = cache(parse)
    for one in outdated:
        source = parsed_once(one.path, sources[one.path])
        if source is None or one.literal is None:
            return None
        start = source.offset(one.literal.lineno, one.literal.col_offset)
        end = source.offset(one.literal.end_lineno or 0, one.literal.end_col_offset or 0)
        written = _written(one.actual, source.code[start:end])
        edit = SpanEdit(path=one.path, start=start, end=end, replacement=written)
        if edits.setdefault((one.path, start), edit) != edit:
            return None
    return Patch(edits=tuple(edits.values())) if edits else None


def _written(value: object, old: str) -> str:
    """``value`` as a literal, with the quotes of the ``old`` one where both are text."""
    code = repr(value)
    if isinstance(value, str) and old.startswith('"') and '"' not in code:
        code = f'"{code[1:-1]}"'
    return code if ast.literal_eval(code) == value else repr(value)
