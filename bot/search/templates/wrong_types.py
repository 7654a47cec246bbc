"""Values of the wrong type: not callable, not subscriptable, not iterable, not hashable, no number, no text.

What two operands do to each other is in ``operands``.
"""

import ast
import builtins
import re
from collections.abc import Iterator

from bot.domain import SpanEdit
from bot.search.operators.base import Context, Mutation
from bot.search.source import FUNCTIONS
from bot.search.templates.changes import callee_name, put_like, suffixed, wrapped
from bot.search.templates.failure import Failure
from bot.search.templates.none_values import missing_returns, nothing_fixes
from bot.search.templates.project import Project, Spot
from bot.search.templates.template import Template, template

LAZY = frozenset(
    [
        "generator",
        "map",
        "filter",
        "zip",
        "enumerate",
        "reversed",
        "dict_keys",
        "dict_values",
        "dict_items",
        "dict_keyiterator",
        "list_iterator",
        "set_iterator",
        "list_reverseiterator",
    ]
)
CALLABLE = frozenset({"function", "method", "builtin_function_or_method", "type", "property"})
NUMBERS = frozenset({"int", "float", "complex"})
_CONTAINERS = frozenset({"list", "tuple", "dict", "str", "set", "range", "bytes"})


def _not_callable(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    kind = match.group(1)
    for spot in project.seen(failure):
        calls = spot.of(ast.Call)
        for call in calls:
            yield from _delimiters(call, kind, spot.context)
            yield from _shadowed(call, spot.context)
            if kind == "NoneType":
                yield from _decorators_of(call, project)
        if kind != "NoneType" or calls:
            return


def _delimiters(call: ast.Call, kind: str, context: Context) -> Iterator[Mutation]:
    """Delimiters in vain, of the wrong kind, or for an operator that is missing."""
    plain = not call.keywords
    if not call.args and plain:
        yield put_like(call, call.func, context, 0.97)
    if len(call.args) == 1 and plain:
        inner = context.code(call.args[0])
        owner = context.operand(call.func)
        if kind in _CONTAINERS - {"set"} or kind not in NUMBERS:
            yield context.put(
                call, f"{owner}[{inner}]", weight=0.98 if kind in {"list", "dict", "tuple"} else 0.6
            )
        if kind in NUMBERS:
            yield context.put(call, f"{owner} * ({inner})", level=11, weight=0.96)
    if kind == "module":
        name = owner = context.code(call.func)
        yield context.put(call.func, f"{owner}.{name.rpartition('.')[2]}", weight=0.98)
    if kind in {"tuple", "str", "list", "int"} and isinstance(call.func, (ast.Tuple, ast.List, ast.Constant)):
        end = context.source.segment(call.func)[1]
        yield context.replace(end, end, ",", weight=0.99, why="add the missing comma")


def _shadowed(call: ast.Call, context: Context) -> Iterator[Mutation]:
    """A built-in's name given to a variable of the function."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    function = context.source.function_of(call)
    owner: ast.AST = function or context.source.tree
    if not hasattr(builtins, name) and name not in {each.name for each in context.scopes.callables}:
        return
    edits: list[SpanEdit] = []
    for node in ast.walk(owner):
        parent = context.source.parents.get(node)
        if isinstance(node, ast.Name) and node.id == name:
            if not (isinstance(parent, ast.Call) and node is parent.func):
                edits += context.put(node, f"{name}_").edits
        elif isinstance(node, ast.arg) and node.arg == name:
            start = context.source.segment(node)[0]
            edits += context.replace(start, start + len(name), f"{name}_").edits
    if edits:
        yield Mutation(edits=tuple(edits), weight=0.94, explanation=f"call the variable `{name}_`")


def _decorators_of(call: ast.Call, project: Project) -> Iterator[Mutation]:
    """A decorator that does not return the function that it made."""
    for found in project.functions(callee_name(call))[:2]:
        for part in found.node.decorator_list:
            inner = part.func if isinstance(part, ast.Call) else part
            name = inner.attr if isinstance(inner, ast.Attribute) else getattr(inner, "id", "")
            for decorator in project.functions(name)[:1]:
                for function in ast.walk(decorator.node):
                    if isinstance(function, FUNCTIONS):
                        yield from missing_returns(function, decorator.context)


def _not_subscriptable(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    kind = match.group(1)
    for spot in project.seen(failure):
        for node in spot.of(ast.Subscript):
            context = spot.context
            if kind == "NoneType":
                yield from nothing_fixes(node.value, spot, project)
            elif kind in CALLABLE:
                inner, owner = context.code(node.slice), context.code(node.value)
                if not isinstance(node.slice, ast.Slice):
                    yield context.put(node, f"{owner}({inner})", weight=0.96)
                yield suffixed(node.value, "()", context, 0.94)
            elif kind in LAZY or kind in {"set", "frozenset"}:
                yield wrapped(node.value, "list", context, 0.95)
                yield wrapped(node.value, "sorted", context, 0.85)
                yield from _next_item(node, context)
            elif kind == "coroutine":
                yield context.put(node.value, f"(await {context.code(node.value)})", weight=1.0)
            elif kind in NUMBERS:
                yield put_like(node, node.value, context, 0.9)
                yield wrapped(node.value, "str", context, 0.8)
            else:
                yield from _as_field(node, context)
        return


def _next_item(node: ast.Subscript, context: Context) -> Iterator[Mutation]:
    if context.code(node.slice) == "0":
        yield context.put(node, f"next(iter({context.code(node.value)}))", weight=0.6)


def _as_field(node: ast.Subscript, context: Context) -> Iterator[Mutation]:
    """``item["price"]`` of an object with the field ``price``."""
    key = node.slice
    if isinstance(key, ast.Constant) and isinstance(key.value, str) and key.value.isidentifier():
        field = f"{context.operand(node.value)}.{key.value}"
        yield context.put(node, field, weight=0.95, why=f"read the field `{key.value}`")


def _iterated(spot: Spot) -> list[ast.expr]:
    """The expressions of a line that something walks over."""
    found: list[ast.expr] = []
    for node in spot.nodes:
        if isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            found.append(node.iter)
        elif isinstance(node, ast.Starred):
            found.append(node.value)
        elif isinstance(node, ast.Compare) and isinstance(node.ops[-1], (ast.In, ast.NotIn)):
            found.append(node.comparators[-1])
        elif isinstance(node, ast.Call) and callee_name(node) in _WALKERS:
            found += [part for part in node.args if not isinstance(part, ast.Lambda)]
        elif isinstance(node, (ast.Assign, ast.AugAssign)) and _walks(node):
            found.append(node.value)
    return found


def _walks(node: ast.Assign | ast.AugAssign) -> bool:
    """``a, b = pair`` and ``items += more``."""
    if isinstance(node, ast.Assign):
        return isinstance(node.targets[0], (ast.Tuple, ast.List))
    return isinstance(node.op, ast.Add)


_WALKERS = frozenset(
    [
        "sum",
        "list",
        "tuple",
        "set",
        "sorted",
        "max",
        "min",
        "any",
        "all",
        "enumerate",
        "zip",
        "map",
        "filter",
        "extend",
        "join",
        "update",
        "dict",
        "reversed",
        "iter",
        "frozenset",
        "union",
        "len",
    ]
)


def _not_iterable(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    kind = match.group(1)
    for spot in project.seen(failure):
        context = spot.context
        for node in _iterated(spot):
            parent = context.source.parents[node]
            if kind != "NoneType" and _takes_items(parent):
                yield context.put(node, f"[{context.code(node)}]", weight=0.96)
            if kind == "NoneType":
                yield from nothing_fixes(node, spot, project)
            elif kind in NUMBERS:
                loop = isinstance(parent, (ast.For, ast.comprehension))
                yield wrapped(node, "range", context, 0.97 if loop else 0.7)
                yield context.put(node, f"[{context.code(node)}]", weight=0.8)
                yield wrapped(node, "str", context, 0.75)
                if isinstance(parent, ast.Compare):
                    yield from _as_equal(parent, context)
            elif kind in CALLABLE:
                yield suffixed(node, "()", context, 0.96)
            elif kind == "coroutine":
                yield context.put(node, f"await {context.code(node)}", level=14, weight=1.0)
            elif kind == "async_generator" and isinstance(parent, ast.For):
                start = context.source.segment(parent)[0]
                yield context.replace(start, start, "async ", weight=0.98, why="iterate with `async for`")
        yield from _several_arguments(spot, kind)
        return


def _takes_items(node: ast.AST) -> bool:
    """``items += item`` and ``items.extend(item)``, which take the items of what they are given."""
    return isinstance(node, ast.AugAssign) or (isinstance(node, ast.Call) and callee_name(node) == "extend")


def _as_equal(node: ast.Compare, context: Context) -> Iterator[Mutation]:
    left = node.left if len(node.comparators) == 1 else node.comparators[-2]
    token = context.source.operator_between(left, node.comparators[-1])
    if token is not None:
        symbol = "==" if token.code == "in" else "!="
        yield context.replace(token.start, token.end, symbol, weight=0.9)


def _several_arguments(spot: Spot, kind: str) -> Iterator[Mutation]:
    """``sum(a, b)`` for ``sum([a, b])``."""
    for call in spot.of(ast.Call):
        if (
            callee_name(call) in {"sum", "set", "list", "any", "all", "max", "min"}
            and kind in NUMBERS
            and call.args
        ):
            start = spot.context.source.segment(call.args[0])[0]
            end = spot.context.source.segment(call.args[-1])[1]
            inner = spot.context.source.code[start:end]
            yield spot.context.replace(start, end, f"[{inner}]", weight=0.92)


TEMPLATES: tuple[Template, ...] = (
    template("not callable", "TypeError", r"'(?:[\w.]+\.)?(\w+)' object is not callable", _not_callable),
    template(
        "not subscriptable",
        "TypeError",
        r"'(?:[\w.]+\.)?(\w+)' object is not subscriptable",
        _not_subscriptable,
    ),
    template(
        "not iterable",
        "TypeError",
        r"'(?:[\w.]+\.)?(\w+)' object is not (?:iterable|an iterator)",
        _not_iterable,
    ),
    template(
        "not iterable",
        "TypeError",
        r"(?:cannot unpack non-iterable|argument of type|after \* must be an iterable, not)"
        r" '?(?:[\w.]+\.)?(\w+)",
        _not_iterable,
    ),
)
