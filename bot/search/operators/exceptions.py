"""Exceptions: the wrong type raised or caught.

"Change exception type" is rare in every study that the priors rest on, but cheap: a file names few of them.
"""

import ast
import re
from collections.abc import Iterator

from bot.search.operators.base import Context, Mutation, operator

_RELATED: dict[str, tuple[str, ...]] = {
    "KeyError": ("LookupError", "IndexError", "AttributeError", "ValueError"),
    "IndexError": ("LookupError", "KeyError", "ValueError", "StopIteration"),
    "ValueError": ("TypeError", "KeyError", "IndexError", "ArithmeticError"),
    "TypeError": ("ValueError", "AttributeError"),
    "AttributeError": ("TypeError", "KeyError"),
    "ZeroDivisionError": ("ArithmeticError", "ValueError"),
    "FileNotFoundError": ("OSError",),
    "IOError": ("OSError",),
    "OSError": ("FileNotFoundError",),
    "RuntimeError": ("ValueError", "NotImplementedError"),
    "NotImplementedError": ("TypeError", "ValueError"),
    "StopIteration": ("IndexError", "ValueError"),
    "Exception": ("ValueError", "TypeError", "KeyError"),
}


_NAMED = re.compile(r"\b\w+(?:Error|Exception|Iteration)\b")
# What no handler should take in passing, and nobody raises on purpose.
_LEFT_ALONE = frozenset({"AssertionError", "SyntaxError", "NameError", "RecursionError"})


def _mentioned(context: Context) -> list[str]:
    """Exception types of the file, or builtin ones, that the failing tests speak of."""
    names = dict.fromkeys(name for message in context.messages for name in _NAMED.findall(message))
    return [name for name in names if name in context.scopes.outer_names - _LEFT_ALONE]


@operator("raised type", prior=0.35, kinds=(ast.Raise,))
def raised_type(node: ast.Raise, context: Context) -> Iterator[Mutation]:
    """Another type raised."""
    raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    if not isinstance(raised, ast.Name):
        return
    mentioned = _mentioned(context)
    for other in dict.fromkeys((*mentioned, *_RELATED.get(raised.id, ()), "ValueError", "TypeError")):
        if other != raised.id:
            yield context.put(raised, other, weight=1.0 if other in mentioned else 0.5)


@operator("caught type", prior=0.35, kinds=(ast.ExceptHandler,))
def caught_type(node: ast.ExceptHandler, context: Context) -> Iterator[Mutation]:
    """Another type caught, a wider one, or one more."""
    if node.type is None:
        return
    caught = context.code(node.type)
    mentioned = [name for name in _mentioned(context) if name not in caught]
    for other in mentioned:
        inner = caught[1:-1].rstrip(", ") if caught.startswith("(") else caught
        yield context.put(node.type, f"({inner}, {other})", weight=1.0)
    for other in dict.fromkeys((*mentioned, *_RELATED.get(caught, ()), "Exception")):
        if other != caught:
            yield context.put(node.type, other, weight=0.8 if other in mentioned else 0.4)
