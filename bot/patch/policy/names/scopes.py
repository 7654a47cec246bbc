"""Which names hide a builtin where they are read, by Python's own rules of scopes.

A class body hides nothing: what it binds is an attribute, and a name that it has not bound is the builtin.
"""

import ast
from collections.abc import Iterator

from bot.patch.syntax import children, walk

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def module_names(tree: ast.Module) -> frozenset[str]:
    """What the module binds for certain: by statements that stand in it directly."""
    parts = [one for node in tree.body for one in (node.targets if isinstance(node, ast.Assign) else [node])]
    return frozenset(name for one in parts for name in bound_by(one))


def function_names(node: Function) -> frozenset[str]:
    """What a call of the function binds before or while it runs; what it declares global is none of it."""
    arguments = node.args
    body = [node.body] if isinstance(node, ast.Lambda) else node.body
    # not what a lambda among the defaults is given
    found = {one.arg for one in children(arguments) if isinstance(one, ast.arg)}
    outside: set[str] = set()
    for part in body:
        for one in own_nodes(part):
            if not isinstance(one, ast.Import | ast.ImportFrom):  # what it brings is known by its own name
                found |= set(bound_by(one))
            if isinstance(one, ast.Global | ast.Nonlocal):
                outside.update(one.names)
    return frozenset(found - outside)


def comprehension_names(node: Comprehension) -> frozenset[str]:
    """What the loops of a comprehension bind."""
    targets = (target for loop in node.generators for target in walk(loop.target))
    return frozenset(one.id for one in targets if isinstance(one, ast.Name))


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """``node`` and what is below it, without other scopes; comprehensions bind by ``:=`` only."""
    yield node
    if isinstance(node, _SCOPES):
        return
    for child in children(node):
        if isinstance(node, Comprehension):
            yield from (one.target for one in walk(child) if isinstance(one, ast.NamedExpr))
        else:
            yield from own_nodes(child)


def bound_by(node: ast.AST) -> Iterator[str]:
    """The names that ``node`` itself binds, and nothing below it."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.MatchMapping(rest=str(name)):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in names)


def own_names(function: Function, around: frozenset[str], *, in_class: bool) -> frozenset[str]:
    """What the methods at this place call their own object; ``around`` are those around the function."""
    arguments = [*function.args.posonlyargs, *function.args.args]
    others = {*(one.arg for one in arguments), *(one.arg for one in function.args.kwonlyargs)}
    if isinstance(function, ast.Lambda) or not in_class:
        return around - others
    static = any(isinstance(one, ast.Name) and one.id == "staticmethod" for one in function.decorator_list)
    return frozenset(one.arg for one in arguments[:1]) if not static else frozenset()
