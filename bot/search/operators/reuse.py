"""Reuse: an expression of the function in the place of another.

The redundancy assumption, that a fix is already written elsewhere in the program, carries GenProg (Le Goues
et al. 2012) and was measured by Martinez, Weimer and Monperrus ("Do the Fix Ingredients Already Exist?",
ICSE 2014): most one- line fixes consist of code that the same file holds. Single names and constants have
operators of their own.
"""

import ast
from collections.abc import Iterator

from bot.search.kinds import Kind
from bot.search.operators.base import Context, Mutation, operator
from bot.search.source import is_read, names_in

_INGREDIENTS = (ast.BinOp, ast.Call, ast.Subscript, ast.Attribute, ast.Compare, ast.BoolOp)
_MOST = 10  # ingredients tried in one place
_MAX_ELSEWHERE = 4  # of them from other functions


@operator("reuse", prior=0.25, kinds=(*_INGREDIENTS, ast.Name, ast.Constant))
def expression_reuse(node: ast.expr, context: Context) -> Iterator[Mutation]:
    """Another expression of the function, or of the file where it means something here."""
    parent = context.source.parents[node]
    outer = isinstance(
        parent,
        (
            ast.Return,
            ast.Assign,
            ast.AugAssign,
            ast.Call,
            ast.Compare,
            ast.BinOp,
            ast.If,
            ast.While,
            ast.IfExp,
            ast.Subscript,
            ast.For,
            ast.BoolOp,
            ast.keyword,
        ),
    )
    if not is_read(node) or not outer or context.source.is_called(node):
        return
    for part, weight in _ingredients(node, context):
        yield context.put_like(node, part, weight=weight)


def _ingredients(node: ast.expr, context: Context) -> Iterator[tuple[ast.expr, float]]:
    own, kind = context.code(node), context.scopes.kind(node)
    found = context.once(_expressions, context.source.function_of(node) or context.source.tree)
    near = sorted(found.items(), key=lambda item: abs(item[1].lineno - node.lineno))
    for code, part in [item for item in near if item[0] != own and "\n" not in item[0]][:_MOST]:
        other = context.scopes.kind(part)
        alike = type(part) is type(node) or (other is kind and kind is not Kind.UNKNOWN)
        inside = code in own or own in code
        yield part, (1.0 if alike else 0.5) * (0.7 if inside else 1.0)
    yield from _from_elsewhere(node, context, {own, *found})


def _expressions(owner: ast.AST, context: Context) -> dict[str, ast.expr]:
    """The expressions of a function or module that may be of use elsewhere in it, by their text."""
    found: dict[str, ast.expr] = {}
    for part in context.scopes.region_of(owner):
        used = is_read(part) and not isinstance(context.source.parents.get(part), ast.Expr)
        if isinstance(part, _INGREDIENTS) and used and not context.source.is_called(part):
            found.setdefault(context.code(part), part)
    return found


def _from_elsewhere(node: ast.expr, context: Context, seen: set[str]) -> Iterator[tuple[ast.expr, float]]:
    """Expressions of the same shape from other functions of the file, where all their names are known."""
    if not isinstance(node, _INGREDIENTS):
        return
    names = {*context.scopes.variables(node), *context.scopes.outer_names, "self"}
    count = 0
    for part in context.scopes.expressions.get(type(node), ()):
        code = context.code(part)
        if code in seen or "\n" in code:
            continue
        read = set(names_in(part))
        if read and read <= names and not isinstance(context.source.parents[part], ast.Expr):
            seen.add(code)
            count += 1
            yield part, 0.35
        if count >= _MAX_ELSEWHERE:
            return
