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

    A name that is bound several times keeps what each of its values does. A value that stands in for a missing
    one does not count.
    """
    bindings = list(_bindings(function.body, own))
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


def _bindings(body: list[ast.stmt], own: str) -> Iterator[tuple[str, ast.expr | None]]:
    for statement in body:
        yield from _of_statement(statement, own)


def _of_statement(node: ast.stmt, own: str) -> Iterator[tuple[str, ast.expr | None]]:
    match node:
        case ast.If(test=test, body=body, orelse=orelse):
            # a default in the place of what is missing
            found = missing(test)
            for arm, absent in ((body, True), (orelse, False)):
                replaced = ast.unparse(found[0]) if found and found[1] is absent else ""
                yield from ((name, value) for name, value in _bindings(arm, own) if name != replaced)
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from pairs(target, value)
        case ast.AnnAssign(target=target, value=value) if value is not None:
            yield from pairs(target, value)
        case ast.AugAssign(target=ast.Name(id=name) as target, op=operator, value=value):
            load = ast.Name(id=target.id, ctx=ast.Load())
            yield name, ast.BinOp(left=load, op=operator, right=value)
        case ast.For(target=target, iter=value, body=body, orelse=orelse):
            yield from ((name, value) for name in bound_names(target))
            yield from _bindings([*body, *orelse], own)
        case ast.While(body=body, orelse=orelse):
            yield from _bindings([*body, *orelse], own)
        case ast.With(items=items, body=body):
            for item in items:
                if item.optional_vars is not None:
                    yield from ((name, item.context_expr) for name in bound_names(item.optional_vars))
            yield from _bindings(body, own)
        case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=finalbody):
            inner = [statement for one in handlers for statement in one.body]
            yield from _bindings([*body, *inner, *orelse, *finalbody], own)
        case ast.Match(cases=cases):
            yield from _bindings([statement for one in cases for statement in one.body], own)
        case _ if not isinstance(node, _SCOPES):
            for one in ast.walk(node):
                if isinstance(one, ast.NamedExpr):
                    yield from ((name, one.value) for name in bound_names(one.target))


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
