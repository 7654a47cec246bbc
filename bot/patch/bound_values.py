"""What the names and attributes of a module are bound to, in whatever scope."""

import ast
from collections.abc import Iterator


def imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The names that imports bind, and the modules that they come from."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((one.asname or one.name.partition(".")[0], one.name) for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = f"{'.' * node.level}{node.module or ''}"
            yield from ((one.asname or one.name, module) for one in node.names)


def bound_values(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Names with what they are bound to, and attributes, which begin with a dot."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=targets, value=value):
                yield from ((one, value) for target in targets for one in _names(target))
                yield from ((f".{one.attr}", value) for one in targets if isinstance(one, ast.Attribute))
            case ast.ClassDef(body=body):
                yield from _of_class(body)
            case (
                ast.AnnAssign(target=target, value=ast.expr() as value)
                | ast.NamedExpr(target=target, value=value)
            ):
                yield from ((one, value) for one in _names(target))
            case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
                yield from ((one, value) for one in _names(target))
            case ast.comprehension(target=target, iter=value):
                yield from ((one, value) for one in _names(target))
            case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
                yield from ((one, value) for one in _names(target))
            case ast.Match(subject=value, cases=cases):
                patterns = (one for case in cases for one in ast.walk(case.pattern))
                yield from (
                    (one.name, value) for one in patterns if isinstance(one, ast.MatchAs) and one.name
                )
            case ast.arguments():
                positional = [*node.posonlyargs, *node.args]
                defaults = zip(positional[::-1], node.defaults[::-1], strict=False)
                named = zip(node.kwonlyargs, node.kw_defaults, strict=True)
                yield from ((one.arg, value) for one, value in (*defaults, *named) if value)


def _of_class(body: list[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    """The attributes that a class's body binds, and what its properties give."""
    for member in body:
        match member:
            case ast.Assign(targets=targets, value=value):
                yield from ((f".{one}", value) for target in targets for one in _names(target))
            case ast.FunctionDef(name=name, decorator_list=[_, *_]):
                results = (one.value for one in ast.walk(member) if isinstance(one, ast.Return) and one.value)
                yield from ((f".{name}", value) for value in results)


def _names(target: ast.AST) -> Iterator[str]:
    return (
        one.id for one in ast.walk(target) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    )
