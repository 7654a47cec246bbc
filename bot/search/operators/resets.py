"""State that outlives its use: it is not set back, or changed in place where others hold it as well."""

import ast
from collections.abc import Iterator

from bot.patch.syntax import last_name, walk
from bot.search.operators.base import Context, Mutation, operator
from bot.search.operators.statements import inserted, parameters_of
from bot.search.precedence import TERM
from bot.search.source import FUNCTIONS, Function, methods_of, names_in

_MAX_ATTRIBUTES, _MAX_AFTER = 4, 8
_CHANGED_BY = {
    "dict": frozenset({"update", "setdefault", "pop", "popitem", "clear"}),
    "list": frozenset({"append", "extend", "insert", "sort", "remove", "reverse"}),
    "set": frozenset({"add", "discard", "update"}),
}
_UNDONE_BY = {"append": "{held}.pop()", "add": "{held}.discard({item})"}
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
    assert isinstance(owner, ast.ClassDef)
    for method in methods_of(owner):
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


@operator("changed for others", prior=0.5, kinds=(ast.Assign,))
def changed_for_others(node: ast.Assign, context: Context) -> Iterator[Mutation]:
    """A local name for what an object or a module holds, which is changed below: a copy of it."""
    function = context.source.function_of(node)
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if function and not _is_own(value):
            kinds = dict.fromkeys(_kinds(name, function))
            for rank, kind in enumerate(kinds):
                weight = 1 / (1 + 0.3 * rank)
                yield context.put(value, f"{kind}({context.code(value)})", weight=weight)


def _is_own(value: ast.expr) -> bool:
    """Whether an expression makes an object of its own, or holds none that others hold."""
    parts = value.values if isinstance(value, ast.BoolOp) else [value]
    return not any(isinstance(part, (ast.Attribute, ast.Subscript, ast.Name)) for part in parts)


def _kinds(name: str, function: ast.AST) -> Iterator[str]:
    """As which kinds of container a function changes what ``name`` holds."""
    for part in walk(function):
        match part:
            case ast.Subscript(value=ast.Name(id=held), ctx=ast.Store() | ast.Del()) if held == name:
                yield "dict"
                yield "list"
            case ast.Call(func=ast.Attribute(value=ast.Name(id=held), attr=method)) if held == name:
                yield from (kind for kind, methods in _CHANGED_BY.items() if method in methods)
            case ast.AugAssign(target=ast.Name(id=held)) if held == name:
                yield "list"


@operator("missing undo", prior=0.45, kinds=FUNCTIONS)
def missing_undo(node: Function, context: Context) -> Iterator[Mutation]:
    """What a recursive function adds on its way in and does not take away on its way out."""
    if not any(isinstance(part, ast.Call) and last_name(part.func) == node.name for part in walk(node)):
        return
    for part in walk(node):
        match part:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=held, attr=method), args=[item])):
                code = _UNDONE_BY.get(method, "").format(held=context.code(held), item=context.code(item))
                if code and code not in context.code(node):
                    yield from _undone(part, code, context)


def _undone(added: ast.stmt, code: str, context: Context) -> Iterator[Mutation]:
    block = context.source.block_of(added)
    after = block[block.index(added) + 1 :][:_MAX_AFTER]
    for rank, one in enumerate(reversed(after)):
        is_last = isinstance(one, (ast.Return, ast.Raise))
        yield from inserted(one, code, context, weight=1 / (1 + 0.3 * rank), before=is_last)


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
