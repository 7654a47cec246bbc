"""Changes whose result the file holds already: most one-line fixes are made of code that is near.

"The redundancy assumption" (Martinez et al., ICSE 2014; Barr et al., "The Plastic Surgery Hypothesis", FSE
2014): what one expression becomes often stands in the same file. It only ranks.
"""

import ast

from bot.search.operators.base import Context, Mutation

FAMILIAR = 1.5
"""How much likelier a change is whose result stands elsewhere in the file."""

_LEAST, _MOST = 6, 120  # characters of a result that says something
_DECISIVE = frozenset("([.<>=+-*/% ")  # a bare name or constant says nothing


def is_familiar(mutation: Mutation, node: ast.AST, context: Context) -> bool:
    """Whether what a change makes of an expression, or of the one around it, stands elsewhere in the file."""
    if len(mutation.edits) != 1:
        return False
    source, edit = context.source, mutation.edits[0]
    if not edit.replacement:
        return False
    for around in (node, source.parents.get(node)):
        if not isinstance(around, ast.expr):
            continue
        start, end = source.segment(around)
        if not start <= edit.start <= edit.end <= end:
            continue
        old = source.code[start:end]
        text = old[: edit.start - start] + edit.replacement + old[edit.end - start :]
        # Any expression of the file could be put for another one.
        grown = around is not node or old in text or text in old
        decisive = _LEAST <= len(text) <= _MOST and _DECISIVE & set(text)
        if grown and decisive and source.code.count(text) > old.count(text):
            return True
    return False
