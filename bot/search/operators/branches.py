"""Branches in the wrong order, and what the class above does.

Conditions are where repairs gather in BugsInPy (Widyasari et al. 2020). What a condition says is in
``logic``; loops' exits are in ``statements``.
"""

import ast
from collections.abc import Iterator

from bot.search.operators.base import Context, Mutation, operator, together
from bot.search.operators.statements import at_head, inserted


@operator("super or self", prior=0.4, kinds=(ast.Call,))
def super_or_self(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """The base's method for the own one, and the other way round."""
    owner = context.source.class_of(node)
    if not isinstance(node.func, ast.Attribute) or owner is None or not owner.bases:
        return
    value = context.code(node.func.value)
    if value == "super()":
        yield context.put(node.func.value, "self")
    elif value == "self":
        function = context.source.function_of(node)
        same = function is not None and function.name == node.func.attr
        yield context.put(node.func.value, "super()", weight=1.0 if same else 0.3)


@operator("missing super", prior=0.45, kinds=(ast.FunctionDef,))
def missing_super(node: ast.FunctionDef, context: Context) -> Iterator[Mutation]:
    """An overriding method that forgets what its base does, or a mixin what comes after it."""
    owner = context.source.parents[node]
    if not isinstance(owner, ast.ClassDef) or "super()" in context.code(node):
        return
    if [arg.arg for arg in node.args.args[:1]] != ["self"]:
        return
    weight = 1.0 if node.name == "__init__" else 0.5
    for arguments in _handed_on(node, has_bases=bool(owner.bases)):
        call = f"super().{node.name}({arguments})"
        yield from at_head(node, call, context, weight=weight)
        if not isinstance(node.body[-1], (ast.Return, ast.Raise)):
            yield from inserted(node.body[-1], call, context, weight=0.5 * weight)


def _handed_on(node: ast.FunctionDef, *, has_bases: bool) -> list[str]:
    """What a call of the base's method may pass: all parameters, the keywords that are left, or nothing.

    A class without bases may be a mixin, which other classes follow, where it takes keywords that it does
    not name.
    """
    given = node.args
    rest = [f"**{given.kwarg.arg}"] if given.kwarg else []
    if not has_bases:
        return rest if node.name == "__init__" else []
    every = [one.arg for one in given.args[1:]]
    every += [f"*{given.vararg.arg}"] if given.vararg else []
    every += [f"{one.arg}={one.arg}" for one in given.kwonlyargs]
    return list(dict.fromkeys((", ".join([*every, *rest]), *rest, "")))


@operator("swap tests", prior=0.4, kinds=(ast.If,))
def swap_tests(node: ast.If, context: Context) -> Iterator[Mutation]:
    """``if``/``elif`` in the wrong order, each test with the other's branch."""
    after = node.orelse[0] if len(node.orelse) == 1 else None
    if isinstance(after, ast.If):
        yield context.exchange(node.test, after.test)
        yield from _bodies(node.body, after.body, context, 0.8)
    elif node.orelse:
        yield from _bodies(node.body, node.orelse, context, 0.7)
    _, below = context.source.beside(node)
    if isinstance(below, ast.If):
        yield context.exchange(node.test, below.test, weight=0.6)


def _bodies(
    first: list[ast.stmt], second: list[ast.stmt], context: Context, weight: float
) -> Iterator[Mutation]:
    """Two one-statement branches in each other's place."""
    if len(first) == len(second) == 1 and not isinstance(second[0], ast.If):
        left, right = context.code(first[0]), context.code(second[0])
        if left != right and all(one.lineno == one.end_lineno for one in (*first, *second)):
            one = context.replace(*context.source.segment(first[0]), right)
            other = context.replace(*context.source.segment(second[0]), left)
            yield together(one, other, weight=weight, why="exchange the two branches")
