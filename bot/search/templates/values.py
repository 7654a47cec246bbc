"""Values that are not there: keys, items, divisors, parts to unpack, what is to be removed."""

import ast
import re
from collections.abc import Iterator
from itertools import islice, pairwise

from bot.patch.syntax import last_name
from bot.search.exits import exits
from bot.search.kinds import Kind
from bot.search.operators.arguments import argued
from bot.search.operators.base import Context, Mutation, together
from bot.search.operators.statements import inserted
from bot.search.precedence import ARITH, OR, TERM, TEST
from bot.search.source import LOOPS, is_read, names_in
from bot.search.templates.changes import asked_first, close, suffixed, wrapped
from bot.search.templates.failure import Failure
from bot.search.templates.project import Project, Spot
from bot.search.templates.template import template

_WITH_A_DOMAIN = frozenset({"log", "log2", "log10", "log1p", "sqrt", "acos", "asin"})
_ALIKE = 2  # letters that a key elsewhere has to begin with
_LONGEST = 80  # characters of a key
_EMPTY = {"append": "[]", "extend": "[]", "insert": "[]", "add": "set()", "update": "{}", "items": "{}"}


@template("zero divisor", "ZeroDivisionError", r"")
def _division(_match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """A divisor that may be zero: another answer then."""
    for spot in project.spots(failure):
        context = spot.context
        parts = [part for part in spot.of(ast.BinOp) if isinstance(part.op, (ast.Div, ast.FloorDiv, ast.Mod))]
        for node in parts:
            divisor = context.operand(node.right, OR + 1)
            for answer, weight in (("0", 0.9), ("0.0", 0.8), ("None", 0.7)):
                code = f"{context.code(node)} if {divisor} else {answer}"
                yield context.put(node, code, level=TEST, weight=weight)
                if context.source.function_of(node) is not None:
                    guard = context.when(f"not {divisor}", f"return {answer}")
                    yield from inserted(spot.statement, guard, context, weight=weight - 0.02, before=True)
            yield context.put(node.right, f"max({context.code(node.right)}, 1)", weight=0.5)
        if parts:
            return


@template(
    "outside of the domain", "ValueError", r"math domain error|expected a (?:positive|nonnegative) input"
)
def _outside_of_the_domain(_match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """A logarithm or root of zero: another answer then."""
    for spot in project.spots(failure):
        context, statement = spot.context, spot.statement
        calls = [call for call in spot.of(ast.Call) if call.args and last_name(call.func) in _WITH_A_DOMAIN]
        known = context.scopes.variables(statement)
        value: ast.AST | None = getattr(statement, "value", None)
        for call in calls[:1]:
            for name in [name for name in dict.fromkeys(names_in(call.args[0])) if name in known][:2]:
                if value is not None:
                    rest = f"{context.operand(value, OR)} if {name} else"
                    yield context.put(value, f"{rest} 0", level=TEST, weight=0.9)
                    yield context.put(value, f"{rest} None", level=TEST, weight=0.7)
                for way, weight in exits(statement, context)[:2]:
                    guard = context.when(f"not {name}", way)
                    yield from inserted(statement, guard, context, weight=0.85 * weight, before=True)
        if calls:
            return


@template(
    "empty collection", "ValueError|IndexError", r"empty (?:sequence|list|set|deque)|is empty|from an empty"
)
def _empty(_match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``max`` of nothing, ``pop`` from nothing, the first of nothing."""
    for spot in project.spots(failure):
        asked = [call for call in spot.of(ast.Call) if last_name(call.func) in {"max", "min"}]
        for call in [call for call in asked if len(call.args) == 1]:
            for default, weight in (("0", 0.92), ("None", 0.9)):
                yield argued(call, f"default={default}", spot.context, weight=weight)
        yield from _guarded(spot)
        if asked:
            return


def _guarded(spot: Spot) -> Iterator[Mutation]:
    """An answer for an empty collection, before the line that takes it for granted."""
    context, function = spot.context, spot.context.source.function_of(spot.statement)
    if function is None:
        return
    owners = [node.value for node in spot.of(ast.Subscript)]
    owners += [node.func.value for node in spot.of(ast.Call) if isinstance(node.func, ast.Attribute)]
    owners += [part for node in spot.of(ast.Call) for part in node.args[:1]]
    known = context.scopes.locals_of(function)
    ways = dict(exits(spot.statement, context)[:3])
    ways = {"return None": 0.74, "return 0": 0.65, "return []": 0.63} | ways
    for owner in owners[:2]:
        if isinstance(owner, ast.Attribute) or (isinstance(owner, ast.Name) and owner.id in known):
            for rank, (way, weight) in enumerate(sorted(ways.items(), key=lambda item: -item[1])):
                guard = context.when(f"not {context.code(owner)}", way)
                share = 0.95 * weight - 0.01 * rank
                yield from inserted(spot.statement, guard, context, weight=share, before=True)


@template("past the end", "IndexError", r"out of range")
def _index_error(_match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """Past the end: a loop that goes one too far, or a neighbour that is not there."""
    for spot in islice(project.spots(failure), 1):
        context, statement = spot.context, spot.statement
        indexes = [node.slice for node in spot.of(ast.Subscript)]
        names = {part.id for index in indexes for part in ast.walk(index) if isinstance(part, ast.Name)}
        ahead = any(isinstance(index, ast.BinOp) and isinstance(index.op, ast.Add) for index in indexes)
        for loop in (node for node in context.source.ancestors(spot.nodes[0]) if isinstance(node, LOOPS)):
            if isinstance(loop, ast.For) and getattr(loop.target, "id", "") in names:
                yield from _shorter(loop.iter, context, ahead=ahead)
            elif isinstance(loop, ast.While) and isinstance(loop.test, ast.Compare):
                token = context.source.operator_between(loop.test.left, loop.test.comparators[0])
                if token is not None and token.code in {"<=", ">="}:
                    yield context.replace(token.start, token.end, token.code[0], weight=0.92)
        test = statement.test if isinstance(statement, ast.While) else None
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            for first, second in pairwise(test.values):  # the bound must be asked first
                yield context.exchange(first, second, weight=0.93)
        yield from _taken(spot)
        yield from _guarded(spot)


def _taken(spot: Spot) -> Iterator[Mutation]:
    """The first or last of what may be empty, with a value for that; what is stored at an end is added."""
    context, statement = spot.context, spot.statement
    match statement:
        case ast.Assign(targets=[ast.Subscript(value=held)], value=stored):
            code = f"{context.operand(held)}.append({context.code(stored)})"
            yield context.replace(*context.source.segment(statement), code, weight=0.9)
    for node in spot.of(ast.Subscript):
        if not is_read(node) or context.code(node.slice) not in {"0", "-1"}:
            continue
        owner, text = node.value, context.scopes.kind(context.source.parents[node]) is Kind.STR
        if isinstance(owner, (ast.Name, ast.Attribute)):
            yield from asked_first(node, context.code(owner), context, 0.9)
            for rank, value in enumerate(('""', "None", "0") if text else ("None", "0", '""')):
                code = f"{context.code(node)} if {context.code(owner)} else {value}"
                yield context.put(node, code, level=TEST, weight=0.88 - 0.04 * rank)


def _shorter(walked: ast.expr, context: Context, *, ahead: bool) -> Iterator[Mutation]:
    """A ``range`` that ends one earlier."""
    if isinstance(walked, ast.Call) and last_name(walked.func) == "range" and walked.args:
        last = walked.args[min(1, len(walked.args) - 1)]
        if isinstance(last, ast.BinOp) and isinstance(last.op, ast.Add) and not ahead:
            yield context.put_like(last, last.left, weight=0.9)
        yield context.put(last, f"{context.operand(last, ARITH)} - 1", level=ARITH, weight=0.9)


@template("unpacking", "ValueError|TypeError", r"values to unpack|cannot unpack")
def _unpacked(_match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """A number of values other than the number of names."""
    for spot in islice(project.spots(failure), 1):
        context, statement = spot.context, spot.statement
        for node in (statement, *spot.of(ast.comprehension)):
            if isinstance(node, (ast.For, ast.comprehension)):
                yield suffixed(node.iter, ".items()", context, 0.95)
                yield wrapped(node.iter, "enumerate", context, 0.93)
        if isinstance(statement, ast.Assign):
            target, value = statement.targets[0], statement.value
            count = len(getattr(target, "elts", ())) - 1
            cut = isinstance(value, ast.Call) and last_name(value.func) in {"split", "rsplit"}
            if cut and isinstance(value, ast.Call) and count > 0:
                yield from _cut_less(value, count, context)
            if isinstance(target, ast.Tuple) and target.elts:
                end = context.source.segment(target.elts[-1])[1]
                yield context.replace(end, end, ", _", weight=0.7)
                yield context.replace(end, end, ", *_", weight=0.75)


def _cut_less(call: ast.Call, count: int, context: Context) -> Iterator[Mutation]:
    """``split`` into no more parts than there are names: from the start, or from the end."""
    code = str(count) if len(call.args) == 1 else f"maxsplit={count}"
    if len(call.args) > 1 or call.keywords or not isinstance(call.func, ast.Attribute):
        return
    limited = argued(call, code, context, weight=0.95)
    yield limited
    other = "split" if call.func.attr == "rsplit" else "rsplit"
    renamed = context.rename(call.func, other)
    yield together(renamed, limited, weight=0.9, why=f"use `{other}` for at most {count + 1} parts")


@template("not found", "ValueError", r"not in list|x not in")
def _not_found(_match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``remove`` of what is not there."""
    for spot in islice(project.spots(failure), 1):
        context, statement = spot.context, spot.statement
        for call in spot.of(ast.Call):
            removes = last_name(call.func) == "remove" and isinstance(call.func, ast.Attribute) and call.args
            if removes and isinstance(call.func, ast.Attribute) and isinstance(statement, ast.Expr):
                indent = context.source.newline + (context.source.indent_of(statement) or "")
                test = f"{context.operand(call.args[0])} in {context.operand(call.func.value)}"
                code = f"if {test}:{indent}{context.source.step}{context.code(statement)}"
                yield context.replace(*context.source.segment(statement), code, weight=0.95)


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
    name = last_name(call.func)
    if not isinstance(call.func, ast.Attribute):
        return
    if name == "pop" and len(call.args) == 1:
        for default, weight in (("None", 0.94), ("0", 0.7), ("[]", 0.6)):
            yield argued(call, default, context, weight=weight)
    elif name == "remove" and len(call.args) == 1:
        yield context.rename(call.func, "discard", weight=0.95)
