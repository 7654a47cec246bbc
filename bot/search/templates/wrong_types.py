"""Values of the wrong type where they are called, indexed, walked over, measured, counted or hashed.

Methods and properties taken for one another are among them. What two operands do to each other, and texts to
bytes, is in ``operands``.
"""

import ast
import re
from collections.abc import Iterator
from itertools import islice

from bot.patch.syntax import last_name
from bot.search.conversions import CALLABLE, NUMBERS
from bot.search.operators.base import Context, Mutation
from bot.search.precedence import TERM
from bot.search.source import FUNCTIONS
from bot.search.templates.changes import decorated, decorators, suffixed, wrapped
from bot.search.templates.failure import Failure
from bot.search.templates.none_values import missing_returns
from bot.search.templates.project import Project, Spot
from bot.search.templates.template import template
from bot.search.templates.type_fixes import converted, made

_WALKERS = frozenset(
    [
        *("sum", "list", "tuple", "set", "sorted", "max", "min", "any", "all", "enumerate", "zip", "map"),
        *("filter", "extend", "join", "update", "dict", "reversed", "iter", "frozenset", "union"),
    ]
)
_HASHING = frozenset({"add", "get", "setdefault", "pop", "hash", "discard"})
_HASHABLE = {"list": ("tuple", "frozenset", "str"), "set": ("frozenset", "tuple"), "dict": ("str",)}
_METHOD = re.compile(r"<bound method (?:\w+\.)*(\w+) of|<function (?:[\w<>]+\.)*(\w+) at")
_KIND = r"'?(?:[\w.]+\.)?(\w+)'?"


@template("method for value", "TypeError|AttributeError", r"'(?:method|function)'")
@template("method for value", "AssertionError", r"^")
def _method_for_value(_match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """A method compared or computed with: its parentheses were forgotten, or it should be a property."""
    shown = f"{failure.comparison.left} {failure.comparison.right}" if failure.comparison else ""
    called = {name for pair in _METHOD.findall(shown) for name in pair if name}
    for spot in project.seen(failure):
        for node in spot.of(ast.Attribute):
            is_call = isinstance(spot.context.source.parents[node], ast.Call)
            if is_call or isinstance(node.ctx, ast.Store) or (called and node.attr not in called):
                continue
            methods = [found for found in project.functions(node.attr) if found.owner is not None]
            if methods and not any("property" in name for found in methods for name in decorators(found)):
                yield suffixed(node, "()", spot.context, 0.97)
                yield from (decorated(found, "@property", 0.9) for found in methods[:2])
        break


@template("property called", "TypeError", r"object is not callable")
def _property_called(_match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``x.size()`` where ``size`` is a property."""
    for spot in project.spots(failure):
        for call in spot.of(ast.Call):
            found = project.functions(last_name(call.func)) if isinstance(call.func, ast.Attribute) else []
            if any("property" in name for each in found for name in decorators(each)):
                yield spot.context.put_like(call, call.func, weight=1.0)
        break


@template("not callable", "TypeError", _KIND + r" object is not callable")
def _not_callable(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    kind = match.group(1)
    for spot in islice(project.seen(failure), 1):
        for call in spot.of(ast.Call):
            yield from _parentheses(call, kind, spot.context)
            for found in project.functions(last_name(call.func))[:2] if kind == "NoneType" else ():
                for part in found.node.decorator_list:
                    yield from _returns_of(part, project)


def _parentheses(call: ast.Call, kind: str, context: Context) -> Iterator[Mutation]:
    """Parentheses in vain, of the wrong kind, or for an operator or a comma that is missing."""
    owner = context.operand(call.func)
    if not call.args and not call.keywords:
        yield context.put_like(call, call.func, weight=0.97)
    elif len(call.args) == 1 and not call.keywords:
        inner = context.code(call.args[0])
        if kind in NUMBERS:
            yield context.put(call, f"{owner} * ({inner})", level=TERM, weight=0.96)
        else:
            weight = 0.98 if kind in {"list", "dict", "tuple"} else 0.6
            yield context.put(call, f"{owner}[{inner}]", weight=weight)
    if kind == "module":
        yield suffixed(call.func, f".{owner.rpartition('.')[2]}", context, 0.98)
    if isinstance(call.func, (ast.Tuple, ast.List, ast.Constant)):
        end = context.source.segment(call.func)[1]
        yield context.replace(end, end, ",", weight=0.99, why="add the missing comma")


def _returns_of(decorator: ast.expr, project: Project) -> Iterator[Mutation]:
    """A decorator that does not return the function that it made."""
    inner = decorator.func if isinstance(decorator, ast.Call) else decorator
    for found in project.functions(last_name(inner))[:1]:
        for function in ast.walk(found.node):
            if isinstance(function, FUNCTIONS):
                yield from missing_returns(function, found.context)


@template("not subscriptable", "TypeError", _KIND + r" object is not subscriptable")
def _not_subscriptable(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    kind = match.group(1)
    for spot in islice(project.seen(failure), 1):
        context = spot.context
        for node in spot.of(ast.Subscript):
            key, owner = node.slice, context.operand(node.value)
            if kind in CALLABLE and not isinstance(key, ast.Slice):
                yield context.put(node, f"{owner}({context.code(key)})", weight=0.98)
            elif kind in NUMBERS:
                yield context.put_like(node, node.value, weight=0.9)
                yield wrapped(node.value, "str", context, 0.8)
            elif isinstance(key, ast.Constant) and isinstance(key.value, str) and key.value.isidentifier():
                yield context.put(node, f"{owner}.{key.value}", weight=0.95)
            yield from made(node.value, kind, spot, project)


def _iterated(spot: Spot) -> Iterator[tuple[ast.expr, ast.AST]]:
    """The expressions of a line that something walks over, each with what does so."""
    for node in spot.nodes:
        if isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            yield node.iter, node
        elif isinstance(node, ast.Starred):
            yield node.value, node
        elif isinstance(node, ast.Compare) and isinstance(node.ops[-1], (ast.In, ast.NotIn)):
            yield node.comparators[-1], node
        elif isinstance(node, ast.Call) and last_name(node.func) in _WALKERS:
            yield from ((part, node) for part in node.args if not isinstance(part, ast.Lambda))
        elif (isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Tuple, ast.List))) or (
            isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add)
        ):
            yield node.value, node


@template(
    "not iterable",
    "TypeError",
    r"(?:cannot unpack non-iterable|argument of type|after \* must be an iterable, not) " + _KIND,
)
@template("not iterable", "TypeError", _KIND + r" object is not (?:iterable|an iterator)")
def _not_iterable(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    kind = match.group(1)
    for spot in islice(project.seen(failure), 1):
        context = spot.context
        for node, walker in _iterated(spot):
            extends = isinstance(walker, ast.Call) and last_name(walker.func) == "extend"
            takes_items = extends or isinstance(walker, ast.AugAssign)
            loop = isinstance(walker, (ast.For, ast.comprehension))
            if kind in NUMBERS and not takes_items:
                yield wrapped(node, "range", context, 0.97 if loop else 0.7)
            if kind in NUMBERS or (takes_items and kind != "NoneType"):
                weight = 0.96 if takes_items else 0.8
                yield context.put(node, f"[{context.code(node)}]", weight=weight)
            yield from made(node, kind, spot, project)


@template("no length", "TypeError", rf"object of type {_KIND} has no len\(\)")
def _no_length(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    kind = match.group(1)
    for spot in islice(project.seen(failure), 1):
        for call in spot.of(ast.Call):
            for node in call.args if last_name(call.func) == "len" else ():
                if kind in NUMBERS:
                    yield spot.context.put_like(call, node, weight=0.9)
                wanted = "str" if kind in NUMBERS else "list" if kind == "NoneType" else ""
                yield from made(node, kind, spot, project, wanted)


@template(
    "no integer",
    "TypeError",
    rf"{_KIND} object cannot be interpreted as an integer"
    rf"|(?:indices must be integers.*|int\(\) argument must be .*), not {_KIND}|slice indices must be",
)
def _not_integer(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """A float, a text or a list where a count or an index is wanted."""
    # Of a slice's bound Python does not say what it is: mostly a quotient.
    kind = match.group(1) or match.group(2) or "float"
    for spot in islice(project.spots(failure), 1):
        context = spot.context
        for division in spot.of(ast.BinOp):
            token = context.source.operator_between(division.left, division.right)
            if token is not None and token.code == "/":
                yield context.replace(token.start, token.end, "//", weight=0.99)
        places = [part for call in spot.of(ast.Call) for part in call.args]
        places += [part.slice for part in spot.of(ast.Subscript) if not isinstance(part.slice, ast.Slice)]
        places += [bound for part in spot.of(ast.Slice) for bound in (part.lower, part.upper) if bound]
        for rank, node in enumerate(dict.fromkeys(places)):
            if kind == "NoneType":
                yield from made(node, kind, spot, project, "int")
            elif not isinstance(node, (ast.Constant, ast.Starred)):
                yield from converted(node, kind, "int", context, 1 - 0.02 * rank)


@template("unhashable", "TypeError", r"unhashable type: '(\w+)'")
def _unhashable(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """A list as a key, or as an item of a set."""
    kind = match.group(1)
    for spot in islice(project.spots(failure), 1):
        hashed = [place for node in spot.nodes for place in _hashed(node)]
        for rank, place in enumerate(dict.fromkeys(hashed)):
            for order, name in enumerate(_HASHABLE.get(kind, ("tuple", "str"))):
                yield wrapped(place, name, spot.context, 0.97 - 0.06 * order - 0.02 * rank)


def _hashed(node: ast.AST) -> list[ast.expr]:
    """The expressions below a node that have to be hashable."""
    found: list[ast.expr | None] = []
    match node:
        case ast.Subscript(slice=part) | ast.Compare(left=part) | ast.SetComp(elt=part):
            found = [part]
        case ast.DictComp(key=part):
            found = [part]
        case ast.Call(args=[part, *_]) if last_name(node.func) in _HASHING:
            found = [part]
        case ast.Set(elts=parts) | ast.Dict(keys=parts):
            found = [*parts]
    # Of a tuple, what it holds: it is hashable itself.
    places = [item for part in found for item in (part.elts if isinstance(part, ast.Tuple) else [part])]
    return [part for part in places if part and not isinstance(part, (ast.Constant, ast.Slice, ast.Starred))]


@template(
    "await",
    "TypeError",
    r"used in 'await'|asynchronous|async_generator|'async (?:for|with)'|context manager protocol",
)
def _awaited(_match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``await`` on what is no coroutine; ``with`` and ``for`` that should be, or should not be, async."""
    for spot in islice(project.spots(failure), 1):
        context, statement = spot.context, spot.statement
        for node in spot.of(ast.Await):
            yield context.put_like(node, node.value, weight=0.97)
        start = context.source.segment(statement)[0]
        if isinstance(statement, (ast.AsyncFor, ast.AsyncWith)):
            yield context.replace(start, start + len("async "), "", weight=0.96, why="drop `async`")
        elif isinstance(statement, (ast.For, ast.With)):
            yield context.replace(start, start, "async ", weight=0.95, why="make it `async`")
        for item in statement.items if isinstance(statement, ast.With) else ():
            yield suffixed(item.context_expr, "()", context, 0.8)
