"""State that outlives its use: it is not set back, or changed in place where others hold it as well."""

import ast
from collections.abc import Iterator

from bot.patch.syntax import walk
from bot.search.operators.base import Context, Mutation, operator
from bot.search.operators.statements import inserted, parameters_of
from bot.search.precedence import TERM
from bot.search.source import FUNCTIONS, names_in

_MAX_ATTRIBUTES = 4
_CHANGING = {
    "append": "[*{owner}, {value}]",
    "extend": "{owner} + {value}",
    "update": "{{**{owner}, **{value}}}",
}


@operator("missing reset", prior=0.35, kinds=(ast.Expr, ast.Assign, ast.AugAssign, ast.Return))
def missing_reset(node: ast.stmt, context: Context) -> Iterator[Mutation]:
    """An attribute that goes back to what ``__init__`` sets it to."""
    function, owner = context.source.function_of(node), context.source.class_of(node)
    if function is None or owner is None or function.name == "__init__":
        return
    own = context.code(function)
    fresh = context.once(_fresh, owner)
    near = [code for code in fresh if code.partition(" = ")[0] in own]
    others = [code for code in fresh if code not in near]
    for rank, code in enumerate([*near, *others][:_MAX_ATTRIBUTES]):
        if code != context.code(node):
            is_last = isinstance(node, ast.Return)
            yield from inserted(node, code, context, weight=1 / (1 + 0.4 * rank), before=is_last)


def _fresh(owner: ast.AST, context: Context) -> list[str]:
    """What ``__init__`` sets without its parameters, of what other methods change."""
    set_first: dict[str, str] = {}
    changed: set[str] = set()
    for method in (part for part in getattr(owner, "body", []) if isinstance(part, FUNCTIONS)):
        given = set(parameters_of(method))
        for part in walk(method):
            match part:
                case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)], value=value):
                    if method.name != "__init__":
                        changed.add(name)
                    elif given.isdisjoint(names_in(value)):
                        set_first[name] = context.code(part)
                case ast.AugAssign(target=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                    changed.add(name)
    return [code for name, code in set_first.items() if name in changed]


@operator("changed in place", prior=0.5, kinds=(ast.AugAssign, ast.Expr))
def changed_in_place(node: ast.AugAssign | ast.Expr, context: Context) -> Iterator[Mutation]:
    """``found += more`` where others hold the same list: ``found = found + more``."""
    if context.source.function_of(node) is None:
        return
    match node:
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value):
            code = f"{name} = {name} + {context.operand(value, TERM)}"
            yield context.replace(*context.source.segment(node), code)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)) as method, args=[value])):
            if made := _CHANGING.get(method.attr):
                code = made.format(owner=name, value=context.operand(value, TERM))
                yield context.replace(*context.source.segment(node), f"{name} = {code}", weight=0.8)
