"""What the local names of a function keep of its sources: see ``bot.patch.keeping``."""

import ast
from collections.abc import Iterator, Mapping

from bot.patch.keeping import Keeping, Sources, bound_names, missing

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def flow(
    function: ast.FunctionDef | ast.AsyncFunctionDef,
    given: Mapping[str, Sources],
    own: str,
    *,
    strict: bool = False,
) -> Keeping:
    """How expressions of ``function`` are read; ``given`` is what its parameters keep.

    A name that is bound several times keeps what each of its values does. A value in the place of a missing
    one does not count.
    """
    bindings = list(_bindings(function.body))
    every = frozenset().union(*given.values(), {".", *_attributes(function, own)})
    known = {name: every for name, _ in bindings}
    known = {**known, **given}
    while True:
        reading = Keeping(own, known, strict)
        found = dict(known)
        for name, value in bindings:
            found[name] &= reading.of(value)
        if found == known:
            return reading
        known = found


def _attributes(function: ast.AST, own: str) -> set[str]:
    return {
        f".{node.attr}"
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == own
    }


def _bindings(body: list[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    for statement in body:
        yield from _direct(statement)
        for block, replaced in _blocks(statement):
            yield from ((name, value) for name, value in _bindings(block) if name != replaced)


def _direct(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from pairs(target, value)
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            yield from pairs(target, value)
        case ast.AugAssign(target=ast.Name(id=name), op=operator, value=value):
            yield name, ast.BinOp(left=ast.Name(id=name, ctx=ast.Load()), op=operator, right=value)
        case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
            yield from ((name, value) for name in bound_names(target))
        case ast.With(items=items) | ast.AsyncWith(items=items):
            yield from ((name, one.context_expr) for one in items for name in bound_names(one.optional_vars))
    yield from _walrus(node)


def _walrus(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    for child in ast.iter_child_nodes(node):
        for one in ast.walk(child) if isinstance(child, ast.expr) else ():
            if isinstance(one, ast.NamedExpr):
                yield from ((name, one.value) for name in bound_names(one.target))


def _blocks(node: ast.stmt) -> Iterator[tuple[list[ast.stmt], str]]:
    """The blocks of a statement, each with the name for which it has a value where that is missing."""
    if isinstance(node, ast.If):
        found = missing(node.test)
        for arm, absent in ((node.body, True), (node.orelse, False)):
            yield arm, ast.unparse(found[0]) if found and found[1] is absent else ""
    elif not isinstance(node, _SCOPES):
        for name in ("body", "orelse", "finalbody"):
            yield getattr(node, name, []), ""
        for one in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            yield one.body, ""


def pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """The names that ``target`` binds, each with its part of ``value`` where that is written out."""
    match target, value:
        case (
            ast.Tuple(elts=names) | ast.List(elts=names),
            ast.Tuple(elts=values) | ast.List(elts=values),
        ) if len(names) == len(values):
            for one, part in zip(names, values, strict=True):
                yield from pairs(one, part)
        case _:
            if not isinstance(target, ast.Attribute | ast.Subscript):
                yield from ((name, value) for name in bound_names(target))


def gives(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.expr]:
    """What a function returns and yields."""
    found: list[ast.expr] = []
    for node in ast.walk(function):
        if isinstance(node, ast.Return | ast.Yield | ast.YieldFrom) and node.value is not None:
            found.append(node.value)
        elif isinstance(node, ast.Yield):
            found.append(ast.Constant(value=None))
    return found
