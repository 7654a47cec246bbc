"""Updates of a container that are missing: nothing is added to it, or what is out of date stays in it.

A statement that is missing is the commonest class of BugsInPy (Widyasari et al. 2020). What it says cannot be
known, but a set that is asked and never filled, or a cache that only grows, shows where one is missing.
"""

import ast
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bot.search.operators.base import Context, Mutation, operator
from bot.search.operators.statements import inserted, parameters_of
from bot.search.source import FUNCTIONS, Function, names_in

_MADE = {"set": "set", "list": "list", "dict": "dict", "deque": "deque", "defaultdict": "dict",
         "OrderedDict": "ordered"}  # fmt: skip
_FILLING = frozenset({"add", "append", "appendleft", "extend", "insert", "update", "setdefault", "put"})
_VALUES, _CONTAINERS = 4, 4


class _Held(NamedTuple):
    """A container by the code that names it, its kind, and whether anything ever fills it."""

    code: str
    kind: str
    is_filled: bool


@operator("missing update", prior=0.4, kinds=(ast.Expr, ast.Assign, ast.AugAssign))
def missing_update(node: ast.stmt, context: Context) -> Iterator[Mutation]:
    """A container that should have been filled, emptied or reordered here."""
    function = context.source.function_of(node)
    if function is None:
        return
    own = context.code(node)
    for held in _containers(function, context):
        if f"{held.code}." in own or own.startswith(f"{held.code} "):
            continue
        for code, weight in _updates(held, function, node, context):
            yield from inserted(node, code, context, weight=weight)


def _containers(function: Function, context: Context) -> Sequence[_Held]:
    """Those of the function and of the ones around it, then its object's, first those that it reads."""
    around = [function, *(one for one in context.source.ancestors(function) if isinstance(one, FUNCTIONS))]
    found = [held for owner in around for held in context.once(_made_in, owner) if "." not in held.code]
    if owner := context.source.class_of(function):
        found += [held for held in context.once(_made_in, owner) if "." in held.code]
    text = context.code(function)
    named = [held for held in found if held.code in text]
    others = [held for held in found if held.code not in text and held.is_filled]
    return [*named, *others][:_CONTAINERS]


def _made_in(owner: ast.AST, context: Context) -> tuple[_Held, ...]:
    """The containers that a function makes, or a class on ``self``."""
    made: dict[str, str] = {}
    filled: set[str] = set()
    for part in ast.walk(owner):
        match part:
            case (
                ast.Assign(targets=[target], value=value)
                | ast.AnnAssign(target=target, value=ast.expr() as value)
            ):
                made |= {
                    context.code(one): kind for one, other in _pairs(target, value) if (kind := _kind(other))
                }
            case ast.Call(func=ast.Attribute(value=held, attr=name)) if name in _FILLING:
                filled.add(context.code(held))
            case ast.Subscript(value=held, ctx=ast.Store()) | ast.AugAssign(target=held):
                filled.add(context.code(held))
    return tuple(_Held(code, kind, code in filled) for code, kind in made.items())


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """What is bound to what: several at once in ``a, b = set(), []``."""
    match target, value:
        case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
            return list(zip(targets, values, strict=True))
    return [(target, value)]


def _kind(value: ast.expr) -> str:
    """The kind of container that an expression makes; empty for others."""
    match value:
        case ast.List() | ast.ListComp():
            return "list"
        case ast.Dict() | ast.DictComp():
            return "dict"
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return _MADE.get(name, "")
    return ""


def _updates(
    held: _Held, function: Function, place: ast.stmt, context: Context
) -> Iterator[tuple[str, float]]:
    """Statements that change a container; what is never filled is filled first."""
    keys, others = _values(held, function, place, context)
    share = 0.4 if held.is_filled else 1.0
    for rank, value in enumerate([*keys, *others]):
        weight = share / (1 + 0.4 * rank)
        match held.kind:
            case "set":
                yield f"{held.code}.add({value})", weight
            case "list" | "deque":
                yield f"{held.code}.append({value})", weight
            case "ordered" if value in keys:
                yield f"{held.code}.move_to_end({value})", weight / share
        if held.kind in {"dict", "ordered"} and value in keys:
            yield from ((f"{held.code}[{value}] = {one}", 0.6 * weight) for one in others)
            yield f"{held.code}.pop({value}, None)", 0.4 * weight
        if held.kind == "set":
            yield f"{held.code}.discard({value})", 0.4 * weight
    if held.is_filled and "." in held.code:
        yield f"{held.code}.clear()", 0.6


def _values(
    held: _Held, function: Function, place: ast.stmt, context: Context
) -> tuple[list[str], list[str]]:
    """What the function looks for in the container, and other variables that have a value in ``place``."""
    keys: list[str] = []
    for part in ast.walk(function):
        match part:
            case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[asked]):
                keys += [context.code(left)] if context.code(asked) == held.code else []
            case ast.Subscript(value=asked, slice=ast.Name() as key):
                keys += [context.code(key)] if context.code(asked) == held.code else []
    bound = [*parameters_of(function), *_bound_before(function, place)]
    others = [name for name in dict.fromkeys(bound) if name not in {*keys, held.code}]
    return list(dict.fromkeys(keys)), others[:_VALUES]


def _bound_before(function: Function, place: ast.stmt) -> Iterator[str]:
    """Names that the function binds above ``place``, loops' own first."""
    parts = [part for part in ast.walk(function) if getattr(part, "lineno", place.lineno) <= place.lineno]
    for part in parts:
        if isinstance(part, (ast.For, ast.AsyncFor)):
            yield from names_in(part.target)
    for part in parts:
        if isinstance(part, ast.Assign):
            yield from (name.id for name in part.targets if isinstance(name, ast.Name))
