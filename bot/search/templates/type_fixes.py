"""What a value of the wrong type lacks in its place: a call, an ``await``, its items, another type."""

import ast
from collections.abc import Iterator

from bot.search.conversions import CALLABLE, LAZY, conversions
from bot.search.operators.base import Context, Mutation
from bot.search.precedence import AWAIT
from bot.search.templates.changes import bare, suffixed, wrapped
from bot.search.templates.none_values import nothing_fixes
from bot.search.templates.project import Project, Spot


def made(node: ast.expr, kind: str, spot: Spot, project: Project, wanted: str = "") -> Iterator[Mutation]:
    """What makes the value that was meant of one of type ``kind``; one of type ``wanted`` may be needed."""
    context = spot.context
    if kind in {"None", "NoneType"}:
        yield from nothing_fixes(node, spot, project, wanted)
    elif isinstance(getattr(node, "ctx", None), ast.Store):
        return
    elif kind in CALLABLE:
        yield suffixed(node, "()", context, 0.97)
    elif kind == "coroutine":
        yield context.put(node, f"await {context.code(node)}", level=AWAIT, weight=1.0)
    elif wanted and not (isinstance(node, ast.Constant) and type(node.value).__name__ == wanted):
        yield from converted(node, kind, wanted, context)
    elif kind in LAZY | {"set", "frozenset"} and not wanted:
        yield wrapped(node, "list", context, 0.95)


def converted(
    node: ast.expr, kind: str, wanted: str, context: Context, weight: float = 1.0
) -> Iterator[Mutation]:
    """The expression, of type ``kind``, as one of type ``wanted``."""
    for form, likely in conversions(kind, wanted):
        inner = context.operand(node) if form.startswith("{}") else bare(node, context)
        yield context.put(node, form.format(inner), weight=weight * likely)
