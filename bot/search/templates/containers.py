"""Values of the wrong type where a container is concerned: lengths, indexes, keys, items put in."""

import ast
import re
from collections.abc import Iterator

from bot.search.operators.base import Mutation
from bot.search.templates.changes import callee_name, put_like, suffixed, wrapped
from bot.search.templates.failure import Failure
from bot.search.templates.none_values import nothing_fixes
from bot.search.templates.project import Project, Spot
from bot.search.templates.template import Template, template
from bot.search.templates.wrong_types import CALLABLE, NUMBERS


def _no_length(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    kind = match.group(1)
    for spot in project.seen(failure):
        context = spot.context
        for call in spot.of(ast.Call):
            if callee_name(call) != "len" or len(call.args) != 1:
                continue
            node = call.args[0]
            if kind == "NoneType":
                yield from nothing_fixes(node, spot, project)
                yield context.put(node, f"{context.operand(node, 2)} or []", level=2, weight=0.6)
            elif kind in NUMBERS:
                yield wrapped(node, "str", context, 0.95)
                yield put_like(call, node, context, 0.9)
            elif kind in CALLABLE:
                yield suffixed(node, "()", context, 0.96)
            elif kind == "coroutine":
                yield context.put(node, f"await {context.code(node)}", level=14, weight=1.0)
            else:
                yield wrapped(node, "list", context, 0.95)
                yield context.put(call, f"sum(1 for _ in {context.code(node)})", weight=0.7)
        return


def _not_integer(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """A float or a list where a count or an index is wanted."""
    # Of a slice's bound Python does not say what it is: mostly a quotient.
    kind = match.group(1) or match.group(2) or "float"
    for spot in project.spots(failure):
        context = spot.context
        for division in spot.of(ast.BinOp):
            if isinstance(division.op, ast.Div):
                token = context.source.operator_between(division.left, division.right)
                if token is not None:
                    yield context.replace(token.start, token.end, "//", weight=0.99)
        places = [part for call in spot.of(ast.Call) for part in call.args]
        places += [part.slice for part in spot.of(ast.Subscript) if not isinstance(part.slice, ast.Slice)]
        places += [bound for part in spot.of(ast.Slice) for bound in (part.lower, part.upper) if bound]
        for rank, node in enumerate(dict.fromkeys(places)):
            weight = 0.95 - 0.02 * rank
            if isinstance(node, (ast.Constant, ast.Starred)):
                continue
            if kind in {"list", "tuple", "dict", "set", "str"}:
                yield wrapped(node, "len", context, weight if kind != "str" else 0.7)
            if kind in {"float", "str", "Decimal", "Fraction", "NoneType"}:
                yield wrapped(node, "int", context, weight)
        yield from _numbered(spot)
        return


def _numbered(spot: Spot) -> Iterator[Mutation]:
    """``for i in items: items[i]``: the loop hands out items where indexes were meant."""
    context = spot.context
    for node in spot.of(ast.Subscript):
        name = node.slice.id if isinstance(node.slice, ast.Name) else ""
        for above in context.source.ancestors(node):
            if isinstance(above, ast.For) and getattr(above.target, "id", "") == name:
                code = context.code(above.iter)
                yield context.put(above.iter, f"range(len({code}))", weight=0.94)
                if code == context.code(node.value):
                    yield context.put(node, name, weight=0.9)


def _unhashable(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """A list as a key, or as an item of a set."""
    kind = match.group(1)
    wrappers = {"list": ("tuple", "frozenset", "str"), "set": ("frozenset", "tuple"), "dict": ("str",)}
    for spot in project.spots(failure):
        context = spot.context
        hashed = [place for node in spot.nodes for place in _hashed(node)]
        for rank, place in enumerate(dict.fromkeys(hashed)):
            for order, name in enumerate(wrappers.get(kind, ("tuple", "str"))):
                yield wrapped(place, name, context, 0.97 - 0.06 * order - 0.02 * rank)
            if kind == "dict":
                code = f"tuple(sorted({context.operand(place)}.items()))"
                yield context.put(place, code, weight=0.9)
        yield from _of_unhashable(spot)
        return


def _hashed(node: ast.AST) -> list[ast.expr]:
    """The expressions below a node that have to be hashable."""
    found: list[ast.expr | None] = []
    if isinstance(node, ast.Subscript):
        found = [node.slice]
    elif isinstance(node, ast.Call) and callee_name(node) in _ASKING:
        found = [*node.args[:1]]
    elif isinstance(node, ast.Compare):
        found = [node.left]
    elif isinstance(node, ast.Set):
        found = [*node.elts]
    elif isinstance(node, ast.Dict):
        found = node.keys
    elif isinstance(node, ast.SetComp):
        found = [node.elt]
    elif isinstance(node, ast.DictComp):
        found = [node.key]
    # Of a tuple, what it holds: it is hashable itself.
    places = [item for part in found for item in (part.elts if isinstance(part, ast.Tuple) else [part])]
    return [part for part in places if part and not isinstance(part, (ast.Constant, ast.Slice, ast.Starred))]


_ASKING = frozenset({"add", "get", "setdefault", "pop", "hash", "discard"})
_MAKING = frozenset({"set", "frozenset", "Counter", "dict", "fromkeys"})


def _of_unhashable(spot: Spot) -> Iterator[Mutation]:
    """A set or counter made of lists."""
    context = spot.context
    for node in spot.nodes:
        if isinstance(node, ast.Call) and callee_name(node) in _MAKING:
            for part in node.args[:1]:
                yield context.put(part, f"map(tuple, {context.code(part)})", weight=0.85)
        elif isinstance(node, ast.Set):
            start, end = context.source.segment(node)
            yield context.put(node, f"[{context.source.code[start + 1 : end - 1]}]", weight=0.7)


def _no_assignment(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``text[0] = ...``: a list was meant, where the value is made."""
    kind = match.group(1)
    for spot in project.spots(failure):
        context = spot.context
        for node in spot.of(ast.Subscript):
            name = context.code(node.value)
            for part in context.scopes.region(node):
                made = isinstance(part, ast.Assign) and any(context.code(t) == name for t in part.targets)
                if made and isinstance(part, ast.Assign):
                    yield wrapped(part.value, "list", context, 0.95)
                    if isinstance(part.value, ast.Tuple):
                        inner = ", ".join(context.code(item) for item in part.value.elts)
                        yield context.put(part.value, f"[{inner}]", weight=0.97)
            if kind == "set":
                yield put_like(spot.statement, node, context, 0.3)
        return


def _await(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``await`` on what is no coroutine; ``with`` and ``for`` that should be, or should not be, async."""
    del match
    for spot in project.spots(failure):
        context = spot.context
        for node in spot.of(ast.Await):
            yield put_like(node, node.value, context, 0.97)
        statement = spot.statement
        start = context.source.segment(statement)[0]
        if isinstance(statement, (ast.AsyncFor, ast.AsyncWith)):
            yield context.replace(start, start + len("async "), "", weight=0.96, why="drop `async`")
        elif isinstance(statement, (ast.For, ast.With)):
            yield context.replace(start, start, "async ", weight=0.95, why="make it `async`")
            items = statement.items if isinstance(statement, ast.With) else []
            for item in items:
                yield suffixed(item.context_expr, "()", context, 0.8)
        return


TEMPLATES: tuple[Template, ...] = (
    template("no length", "TypeError", r"object of type '(?:[\w.]+\.)?(\w+)' has no len\(\)", _no_length),
    template(
        "no integer",
        "TypeError",
        r"'(?:[\w.]+\.)?(\w+)' object cannot be interpreted as an integer"
        r"|(?:indices must be integers.*, not '?(?:[\w.]+\.)?(\w+))|slice indices must be",
        _not_integer,
    ),
    template("unhashable", "TypeError", r"unhashable type: '(\w+)'", _unhashable),
    template(
        "no item assignment",
        "TypeError",
        r"'(\w+)' object does not support item (?:assignment|deletion)",
        _no_assignment,
    ),
    template(
        "await",
        "TypeError",
        r"can't be used in 'await'|asynchronous|'async (?:for|with)'|context manager protocol",
        _await,
    ),
)
