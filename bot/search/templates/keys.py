"""Keys that a dictionary lacks: another key, a default, or a beginning."""

import ast
import re
from collections.abc import Iterator

from bot.search.operators.arguments import argued
from bot.search.operators.base import Context, Mutation
from bot.search.precedence import TERM, TEST
from bot.search.templates.changes import callee_name, close
from bot.search.templates.failure import Failure
from bot.search.templates.project import Project, Spot
from bot.search.templates.template import template

_ALIKE = 2  # letters that a key elsewhere has to begin with
_LONGEST = 80  # characters of a key
_EMPTY = {"append": "[]", "extend": "[]", "insert": "[]", "add": "set()", "update": "{}", "items": "{}"}


@template("missing key", "KeyError", r".*")
def _key_error(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """A key that the dictionary lacks: another key, a default, or a beginning."""
    literal = match.group()
    for spot in project.spots(failure):
        context = spot.context
        subscripts: list[ast.Subscript] = spot.of(ast.Subscript)
        for node in subscripts:
            if isinstance(node.slice, ast.Constant):
                yield from _other_key(node, context, project, literal)
            yield from _begun(node, spot)
            if isinstance(node.ctx, ast.Load):
                yield from _with_default(node, context)
            elif isinstance(node.ctx, ast.Del):
                code = f"{context.operand(node.value)}.pop({_argument(node, context)}, None)"
                yield context.replace(*context.source.segment(spot.statement), code, weight=0.93)
        for call in spot.of(ast.Call):
            yield from _forgiving(call, context)
        if subscripts or any(isinstance(node, ast.Call) for node in spot.nodes):
            return


def _argument(node: ast.Subscript, context: Context) -> str:
    """The key as an argument: ``d[a, b]`` has one key, for which a call needs parentheses."""
    return context.operand(node.slice, TEST)


def _other_key(node: ast.Subscript, context: Context, project: Project, literal: str) -> Iterator[Mutation]:
    """A key of a similar spelling that the file, or the project, writes elsewhere."""
    key = node.slice
    assert isinstance(key, ast.Constant)
    if not isinstance(key.value, str) or repr(key.value) != literal:
        return
    own = [
        part.value
        for part, parent in context.source.parents.items()
        if isinstance(part, ast.Constant)
        and isinstance(part.value, str)
        and isinstance(parent, (ast.Dict, ast.Subscript, ast.Call))
    ]
    others = _written_elsewhere(key.value, context.source.path, project)
    quote = context.code(key)[-1]
    for rank, other in enumerate(close(key.value, [*own, *others])):
        if other.isprintable() and quote not in other and "\\" not in other:
            yield context.put(key, f"{quote}{other}{quote}", weight=0.97 - 0.05 * rank)


def _written_elsewhere(key: str, path: str, project: Project) -> Iterator[str]:
    """What other files write between quotes that begins as the key does; none of them is parsed for it."""
    if len(key) < _ALIKE:
        return
    pattern = re.compile(rf"""(['"])({re.escape(key[:_ALIKE])}[^'"\\\n]{{0,{_LONGEST}}})\1\s*[]:,)]""")
    for other in project.paths:
        if other != path:
            yield from (match.group(2) for match in pattern.finditer(project.sources[other]))


def _begun(node: ast.Subscript, spot: Spot) -> Iterator[Mutation]:
    """``d[k] += 1`` and ``d[k].append(v)`` before the key has a value."""
    context, statement = spot.context, spot.statement
    owner, key = context.operand(node.value), _argument(node, context)
    if isinstance(statement, ast.AugAssign) and statement.target is node:
        token = context.source.operator_between(statement.target, statement.value)
        symbol = token.code if token else "+"
        empties = {"+": ("0", "[]", '""'), "*": ("1",), "|": ("set()", "0")}
        for rank, empty in enumerate(empties.get(symbol, ("0",))):
            right = context.operand(statement.value, TERM)
            code = f"{context.code(node)} = {owner}.get({key}, {empty}) {symbol} {right}"
            yield context.replace(*context.source.segment(statement), code, weight=0.98 - 0.05 * rank)
    parent = context.source.parents[node]
    if isinstance(parent, ast.Attribute) and parent.attr in _EMPTY:
        yield context.put(node, f"{owner}.setdefault({key}, {_EMPTY[parent.attr]})", weight=0.98)
    if isinstance(parent, ast.Subscript) and parent.value is node and isinstance(parent.ctx, ast.Store):
        yield context.put(node, f"{owner}.setdefault({key}, {{}})", weight=0.97)
    target = statement.targets[0] if isinstance(statement, ast.Assign) else node
    if target is not node and context.code(target) == context.code(node):
        yield context.put(node, f"{owner}.get({key}, 0)", weight=0.98)


def _with_default(node: ast.Subscript, context: Context) -> Iterator[Mutation]:
    owner, key = context.operand(node.value), _argument(node, context)
    parent = context.source.parents[node]
    numeric = isinstance(parent, (ast.BinOp, ast.AugAssign, ast.Compare))
    walked = isinstance(parent, (ast.For, ast.comprehension))
    weights = {"": 0.9, ", 0": 0.95 if numeric else 0.8, ", []": 0.96 if walked else 0.75, ', ""': 0.74}
    weights |= {f", {key}": 0.6, ", {}": 0.55}
    for default, weight in weights.items():
        yield context.put(node, f"{owner}.get({key}{default})", weight=weight)


def _forgiving(call: ast.Call, context: Context) -> Iterator[Mutation]:
    """``pop`` with a default, ``discard`` for ``remove``."""
    name = callee_name(call)
    if not isinstance(call.func, ast.Attribute):
        return
    if name == "pop" and len(call.args) == 1:
        for default, weight in (("None", 0.94), ("0", 0.7), ("[]", 0.6)):
            yield argued(call, default, context, weight=weight)
    elif name == "remove" and len(call.args) == 1:
        yield context.rename(call.func, "discard", weight=0.95)
