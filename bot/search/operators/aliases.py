"""Two names for one object where two objects were meant: copies that were not made.

Aliasing is Python's own trap: "shared mutable" bugs recur in BugsInPy (Widyasari et al. 2020) and in the
language's FAQ. Shared parameters' defaults are in ``definitions``.
"""

import ast
from collections.abc import Iterator

from bot.search.operators.base import Context, Mutation, operator
from bot.search.operators.loops import changed_names
from bot.search.operators.statements import at_head, import_place
from bot.search.source import FUNCTIONS, function_called

_MUTABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp)


def makes_mutable(node: ast.AST | None) -> bool:
    """Whether an expression makes a list, a dict or a set."""
    made = function_called(node) in {"list", "dict", "set", "defaultdict", "deque"}
    return made or isinstance(node, _MUTABLE)


@operator("repeated reference", prior=0.85, kinds=(ast.BinOp, ast.Call))
def repeated_reference(node: ast.expr, context: Context) -> Iterator[Mutation]:
    """``[[0] * n] * m`` and ``dict.fromkeys(keys, [])``: one list, many times."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        for held, count in ((node.left, node.right), (node.right, node.left)):
            if isinstance(held, ast.List) and len(held.elts) == 1 and _holds_mutable(held.elts[0]):
                item = context.code(held.elts[0])
                code = f"[{item} for _ in range({context.code(count)})]"
                yield context.put(node, code, why="make a new list for each place")
    elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "fromkeys":
        for value in node.args[1:2]:
            code = f"{{key: {context.code(value)} for key in {context.code(node.args[0])}}}"
            if makes_mutable(value):
                yield context.put(node, code, why="make a new value for each key")


def _holds_mutable(node: ast.expr) -> bool:
    repeated = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and makes_mutable(node.left)
    return makes_mutable(node) or repeated


@operator("shared attribute", prior=0.6, kinds=(ast.ClassDef,))
def shared_attribute(node: ast.ClassDef, context: Context) -> Iterator[Mutation]:
    """A list of the class that was meant to be each object's own."""
    init = next((part for part in node.body if isinstance(part, FUNCTIONS) and part.name == "__init__"), None)
    for statement in node.body:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if not isinstance(statement, ast.Assign) or not makes_mutable(statement.value):
            continue
        lines = context.source.whole_lines(statement)
        if not isinstance(target, ast.Name) or lines is None:
            continue
        line = f"self.{target.id} = {context.code(statement.value)}"
        why = f"make `{target.id}` each object's own"
        if init is not None:
            for change in at_head(init, line, context, weight=1.0):
                edits = (*change.edits, *context.replace(*lines, "").edits)
                yield Mutation(edits=edits, weight=1.0, explanation=why)
        elif not node.decorator_list:
            indent, newline = context.source.indent_of(statement) or "", context.source.newline
            code = f"{indent}def __init__(self):{newline}{indent}{context.source.step}{line}{newline}"
            yield context.replace(*lines, code, why=why)


@operator("stored alias", prior=0.45, kinds=(ast.Name, ast.Attribute))
def stored_alias(node: ast.expr, context: Context) -> Iterator[Mutation]:
    """A list kept or handed out while it is still being changed: keep a copy."""
    parent = context.source.parents[node]
    if not isinstance(getattr(node, "ctx", None), ast.Load):
        return
    kept = isinstance(parent, ast.Call) and node in parent.args and isinstance(parent.func, ast.Attribute)
    kept = kept and getattr(parent, "func").attr in {"append", "add", "appendleft", "insert"}  # noqa: B009
    stored = isinstance(parent, ast.Assign) and isinstance(parent.value, (ast.Name, ast.Attribute))
    returned = isinstance(parent, ast.Return) and isinstance(node, ast.Attribute)
    if not (kept or stored or returned or isinstance(parent, (ast.Yield, ast.Subscript))):
        return
    changed = changed_names(list(context.scopes.region(node)))
    code = context.code(node)
    if isinstance(node, ast.Name) and node.id not in changed and not stored:
        return
    weight = 1.0 if kept else 0.7 if stored else 0.5
    if not isinstance(parent, ast.Subscript):
        yield context.put(node, f"list({code})", weight=weight)
        yield context.put(node, f"{code}[:]", weight=0.5 * weight)
    if stored:
        yield _deep(node, code, context, 0.6)
        yield context.put(node, f"[row[:] for row in {code}]", weight=0.4)


def _deep(node: ast.expr, code: str, context: Context, weight: float) -> Mutation:
    """``copy.deepcopy``, with the import where that is missing."""
    edits = list(context.put(node, f"copy.deepcopy({code})").edits)
    if "copy" not in context.scopes.known:
        place = import_place(context)
        edits += context.replace(place, place, f"import copy{context.source.newline}").edits
    return Mutation(edits=tuple(edits), weight=weight, explanation=f"copy `{code}` with all that it holds")
