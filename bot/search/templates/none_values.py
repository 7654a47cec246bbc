"""Where an unexpected ``None`` comes from: a missing return, a method that changes in place."""

import ast
import re
from collections.abc import Iterator
from itertools import islice

from bot.patch.syntax import is_constant, last_name
from bot.search.conversions import EMPTY
from bot.search.exits import exits
from bot.search.operators.arguments import argued
from bot.search.operators.base import Context, Mutation
from bot.search.operators.statements import inserted, work_of
from bot.search.operators.switches import COMPARING
from bot.search.precedence import AND, ARITH, ATOM, BITOR, OR
from bot.search.scopes import own_nodes
from bot.search.source import FUNCTIONS, Function, names_in
from bot.search.templates.changes import asked_first
from bot.search.templates.failure import Failure
from bot.search.templates.project import Definition, Project, Spot, statement_nodes
from bot.search.templates.template import template

_IN_PLACE = frozenset(
    [
        *("append", "sort", "extend", "reverse", "update", "add", "insert", "remove", "clear", "discard"),
        *("shuffle", "appendleft", "difference_update", "intersection_update"),
    ]
)
_NAMED = (ast.Name, ast.Attribute)
_MAX_CALLS = 4  # calls of one line whose functions are looked at


def nothing_fixes(node: ast.expr, spot: Spot, project: Project, wanted: str = "") -> Iterator[Mutation]:
    """What to do about an expression that turned out to be None; a value of type ``wanted`` would do."""
    if isinstance(node, ast.Await):
        node = node.value
    if isinstance(node, ast.Call):
        yield from _call_fixes(node, None, spot.context, project)
    elif isinstance(node, (ast.Name, ast.Attribute)):
        for statement in assignments(node, spot.context):
            value = statement.value
            value = value.value if isinstance(value, ast.Await) else value
            if isinstance(value, ast.Call):
                yield from _call_fixes(value, statement, spot.context, project)
    yield from _guarded(node, spot)
    yield from replaced_where_none(node, wanted, spot.context)


def replaced_where_none(node: ast.expr, wanted: str, context: Context) -> Iterator[Mutation]:
    """``count or 0``: the empty value of the type that its neighbour has."""
    if wanted in EMPTY and not isinstance(getattr(node, "ctx", None), ast.Store):
        yield context.put(node, f"{context.operand(node, OR)} or {EMPTY[wanted]}", level=OR, weight=0.62)


def assignments(node: ast.Name | ast.Attribute, context: Context) -> list[ast.Assign]:
    """The assignments that the expression may have its value from, the nearest above it first."""
    code = context.code(node)
    owner: ast.AST | None = context.source.class_of(node) if isinstance(node, ast.Attribute) else None
    region = list(ast.walk(owner)) if owner else list(context.scopes.region(node))
    found = [
        part
        for part in region
        if isinstance(part, ast.Assign) and any(context.code(target) == code for target in part.targets)
    ]
    return sorted(found, key=lambda part: (part.lineno > node.lineno, -part.lineno))


def _call_fixes(
    call: ast.Call, assign: ast.Assign | None, context: Context, project: Project
) -> Iterator[Mutation]:
    name = last_name(call.func)
    if name in _IN_PLACE and isinstance(call.func, ast.Attribute):
        yield from _in_place(call, call.func, assign, context)
    if name in {"match", "fullmatch"} and isinstance(call.func, ast.Attribute):
        yield context.rename(call.func, "search", weight=0.85)
    if name == "get" and len(call.args) == 1:
        for default, weight in (("{}", 0.85), ("''", 0.84), ("0", 0.83), ("[]", 0.82)):
            yield argued(call, default, context, weight=weight, why=f"default to `{default}`")
    if name == "get" and len(call.args) == 2:
        key, default = map(context.code, call.args)
        code = f"{context.code(call.func)}({key}) or {default}"
        yield context.put(call, code, level=OR, weight=0.9, why=f"`{default}` where None is kept as well")
    for found in project.functions(name)[:_MAX_CALLS]:
        yield from missing_returns(found.node, found.context)


def _in_place(
    call: ast.Call, method: ast.Attribute, assign: ast.Assign | None, context: Context
) -> Iterator[Mutation]:
    """``x = y.sort()``: the method changes its object and returns nothing."""
    owner = context.code(method.value)
    arguments = ", ".join(context.code(part) for part in (*call.args, *call.keywords))
    if assign is not None:
        same = context.code(assign.targets[0]) == owner
        start, end = context.source.segment(assign)
        yield context.replace(start, end, context.code(call), weight=1.0 if same else 0.6)
        if not same and context.source.indent_of(assign) is not None:
            indent = context.source.newline + (context.source.indent_of(assign) or "")
            kept = f"{context.code(call)}{indent}{context.code(assign.targets[0])} = {owner}"
            yield context.replace(start, end, kept, weight=0.85)
    comma = f", {arguments}" if arguments else ""
    pure = {
        "sort": f"sorted({owner}{comma})",
        "reverse": f"list(reversed({owner}))",
        "append": f"{owner} + [{arguments}]",
        "extend": f"{owner} + {arguments}",
        "add": f"{owner} | {{{arguments}}}",
        "update": f"{{**{owner}, **{arguments}}}" if len(call.args) == 1 else "",
    }.get(method.attr, "")
    if pure:
        level = {"append": ARITH, "extend": ARITH, "add": BITOR}.get(method.attr, ATOM)
        yield context.put(call, pure, level=level, weight=0.97)


def _guarded(node: ast.expr, spot: Spot) -> Iterator[Mutation]:
    """The place that cannot take None: another value there, or a way around it."""
    context = spot.context
    parent = context.source.parents.get(node)
    if isinstance(parent, (ast.For, ast.comprehension)):
        yield context.put(node, f"{context.code(node)} or []", level=2, weight=0.6)
    if context.source.function_of(node) is None or not isinstance(node, (ast.Name, ast.Attribute)):
        return
    step, name = context.source.step, context.code(node)
    indent = context.source.indent_of(spot.statement)
    one_line = spot.statement.lineno == spot.statement.end_lineno
    if isinstance(spot.statement, ast.Expr) and indent is not None and one_line:
        start = context.source.segment(spot.statement)[0]
        guard = f"if {name} is not None:{context.source.newline}{indent}{step}"
        yield context.replace(start, start, guard, weight=0.55, why=f"only where {name} is not None")
    yield from asked_first(node, f"{name} is not None", context, 0.95)
    for rank, (way, weight) in enumerate(exits(spot.statement, context)[:3]):
        guard = context.when(f"{name} is None", way)
        share = (0.94 if rank == 0 and weight == 1 else 0.55) * weight - 0.05 * rank
        yield from inserted(spot.statement, guard, context, weight=share, before=True)


def missing_returns(function: Function, context: Context) -> Iterator[Mutation]:
    """The ways in which a function may have forgotten to return what it made."""
    body = work_of(function)
    nodes = [node for statement in body for node in (statement, *own_nodes(statement))]
    own = [node for node in nodes if context.source.function_of(node) is function]
    if not body or any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in own):
        return
    for node in own:
        if isinstance(node, ast.Return) and node.value is None:
            for rank, name in enumerate(_made(own, function)[:3]):
                code = f"return {name}"
                yield context.replace(*context.source.segment(node), code, weight=0.8 - 0.03 * rank)
        if isinstance(node, ast.Expr) and not is_constant(node):
            yield from _returned(node, function, context)
    last = body[-1]
    if isinstance(last, (ast.Return, ast.Raise)):
        return
    for rank, name in enumerate(_made(own, function)[:5]):
        yield from inserted(last, f"return {name}", context, weight=0.96 - 0.05 * rank)
    if isinstance(last, ast.Assign):
        code = f"return {context.code(last.value)}"
        yield context.replace(*context.source.segment(last), code, weight=0.7)


def _returned(node: ast.Expr, function: Function, context: Context) -> Iterator[Mutation]:
    """An expression statement that should be the answer; a recursive call's before any other's."""
    again = _calls(node.value, function.name)
    changes = any(_calls(node.value, name) for name in (*_IN_PLACE, "print", "pop", "write"))
    last = context.source.block_of(node)[-1] is node
    if last or again:
        weight = 0.99 if again else 0.4 if changes else 0.97
        start = context.source.segment(node)[0]
        yield context.replace(start, start, "return ", weight=weight, why="return the value")


def _made(own: list[ast.AST], function: Function) -> list[str]:
    """Variables that the function makes or fills, the last one first; an inner function counts."""
    arguments = function.args
    parameters = [arg.arg for arg in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    found: list[str] = []
    for node in own:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.append(node.id)
        elif isinstance(node, FUNCTIONS):
            found.append(node.name)
        elif isinstance(node, ast.Call) and last_name(node.func) in _IN_PLACE:
            owner = node.func.value if isinstance(node.func, ast.Attribute) else None
            found += [owner.id] if isinstance(owner, ast.Name) else []
    walks = [node for node in own if isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension))]
    loops = set(names_in(*(node.target for node in walks)))
    made = [name for name in reversed(found) if name not in loops]
    # What begins the function's work and what ends it are likelier than what comes between.
    ordered = dict.fromkeys((*made[:1], *reversed(made), *made, *parameters))
    chained = [name for name in ordered if name not in {"self", "cls"}]
    return [*chained, *(name for name in parameters[:1] if name == "self")]


@template("compared with None", "AttributeError", r"'NoneType' object has no attribute")
def _compared(_match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``one != self.last`` where the class of ``one`` takes anything else for one of its own."""
    spots = list(islice(project.spots(failure), 2))
    inner = [one.context.source.function_of(one.statement) for one in spots[:1]]
    for spot in spots[1:] if any(one and one.name in COMPARING for one in inner) else ():
        context = spot.context
        for node in spot.of(ast.Compare):
            apart = isinstance(node.ops[0], ast.NotEq)
            values = [one for one in (*node.comparators, node.left) if isinstance(one, _NAMED)]
            for rank, one in enumerate(values if len(node.ops) == 1 else ()):
                clause = f"{context.code(one)} is {'None or' if apart else 'not None and'}"
                code, level = f"{clause} {context.code(node)}", OR if apart else AND
                yield context.put(node, code, level=level, weight=0.95 - 0.1 * rank)


@template("missing return", "AssertionError|", r"")
def _silent_callee(_match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``assert f(x) == 3`` got None: the test's own line says which function never answers."""
    comparison = failure.comparison
    if comparison is None or "None" not in {comparison.left, comparison.right}:
        return
    for frame in failure.frames[:1]:
        spot = project.spot(frame)
        for definition in _called_on(spot, project) if spot else ():
            yield from missing_returns(definition.node, definition.context)


def _called_on(spot: Spot, project: Project) -> Iterator[Definition[Function]]:
    """The functions that a line calls, or that gave its variables their values, and that answer nothing."""
    calls: list[ast.AST] = list(spot.of(ast.Call))
    if not calls:
        assigned = [each for node in spot.of(ast.Name) for each in assignments(node, spot.context)]
        calls = [node for each in assigned for node in statement_nodes(each, spot.context.source)]
    names = [last_name(node.func) for node in calls if isinstance(node, ast.Call)]
    for name in list(dict.fromkeys(names))[:_MAX_CALLS]:
        for found in project.functions(name):
            source = found.context.source
            own = [part for part in ast.walk(found.node) if source.function_of(part) is found.node]
            answers = any(isinstance(node, ast.Return) and node.value is not None for node in own)
            again = any(isinstance(node, ast.Expr) and _calls(node.value, name) for node in own)
            if not answers or again:
                yield found


def _calls(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Call) and last_name(node.func) == name
